fn g(k: int, x: f64[n], y: f64[n]) -> f64 = sum(x * y) * k
fn two(x: f64, y: f64) -> f64 = x * y
fn returned(x: f64[n], y: f64[n]) -> f64[n] = grad(g)(2, x, y)
fn stepped(x: f64[n], y: f64[n]) -> f64[n] = x - 0.1 * grad(g)(2, x, y)
fn changed(x: f64[n], y: f64[n]) -> f64[n] {
    var z = x
    z -= grad(g)(2, x, y)
    return z
}
let x = [1.0]
let d: f64[1] = grad(g)(3, x, [2.0])
print(sum(grad(g)(3, x, x)), jacobian(g)(3, x, x), jacobian(fn(p, q) => p * q)(x, x))
print(grad(two)(1.0, 2.0) + 1, abs(grad(two)(1.0, 2.0)), grad(two)(y=1.0, x=2.0) - [2.0])
print(grad(g)(3, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [6.0, 5.0, 4.0, 3.0, 2.0, 1.0]) + 2)
# What has a name of its own is not what a call shows.
let parts = grad(two)(1.0, 2.0)
print(parts * [2.0])
