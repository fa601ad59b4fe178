# n is a size in `total` and `Pair`, a constant of its own in `repeated`: whoever imports this file does not change that.
import "shapes.dsl"
const m = 3
struct Pair { first: f64, second: f64[n] }

fn helper(x: f64) -> f64 = x + 0.25
fn total(x: f64[n]) -> f64 = sum(helper(x[i]) for i in 0:n)
fn repeated(x: f64) -> f64[m] = [x for i in 0:m]
fn second(p: Pair) -> f64 = sum(p.second)
fn mean(_x: f64[n]) -> f64 = 100 # hides the library's here, and for who imports this
kernel fill(y: out f64[n]) {
    let i = thread.x
    if i < n { y[i] = helper(f64(i * m)) }
}
fn filled(n: int) -> f64[n] {
    var y = zeros(f64, n)
    launch fill[1, 8](y)
    return y
}
fn apply(f: fn(f64) -> f64, x: f64) -> f64 = helper(f(x))
