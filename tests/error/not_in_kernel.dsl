extern fn c_norm(x: f64[n]) -> f64
fn halves(x: f64[n]) -> f64[n] = x / 2
fn depth(x: f64[n], k: int) -> f64 = if k == 0 { x[0] } else { depth(x, k - 1) }
fn sum_of_copy(x: f64[n]) -> f64 {
    let y = x * 2
    return sum(y)
}
kernel k(y: out f64[n], x: f64[n], a: f64[n, n]) {
    let i = thread.x
    let h = sum(halves(x))
    y[i] = h + depth(x, 3) + norm(x + 1) + sum(cumsum(x)) + sum(a, 0)[i] + det(a)
    y[i] = sum_of_copy(x)
}
let x = [1.0, 2.0]
var y = zeros(f64, len(x))
launch k[1, 2](y, x, [[1.0, 2.0], [3.0, 4.0]])
fn f(x: f64[n], y0: f64[n], a: f64[n, n]) -> f64[n] {
    var y = y0
    launch k[1, n](y, x, a)
    return y
}
print(f(x, y, [[1.0, 2.0], [3.0, 4.0]]))
