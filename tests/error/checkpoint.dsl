kernel k(x: inout f64[n]) {
    for i in checkpoint(0:n) { x[i] = 1 }
}
fn f(x: f64, n: int) -> f64 {
    var y = x
    for i in checkpoint(0:n, often=3) { y = y * y }
    for i in checkpoint(0:n, every=0) { y = y * y }
    for i in checkpoint(0:n, slots=-1) { y = y * y }
    for i in checkpoint(0:n, every=n) { y = y * y }
    for i in checkpoint(0:n, memory=3) { y = y * y }
    for i in checkpoint(0:n, memory="much") { y = y * y }
    for checkpoint in checkpoint(0:n, memory="1.5 GiB") { y = y * f64(checkpoint) }
    return y
}
var x = [1.0]
launch k[1, 1](x)
print(f(1.0, 3))
