# Words that are names elsewhere, where they are no names
kernel a(y: out) { y[0] = 1 }
kernel b(y: inout f64[n]) {
    barrier()
    y[0] = 1
}
fn f(sync: int) -> int {
    sync
    return sync
}
fn g(barrier: int) -> int = if barrier > 3 { barrier } else { f(0) }
print(g(1))
sync()
