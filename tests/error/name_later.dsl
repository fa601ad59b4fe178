fn f() -> int {
    let b = a + 1
    let a = 2
    return a + b
}
fn g(c: bool) -> int {
    if c { let inner = 1
        print(inner) }
    return inner
}
print(f(), g(true))
