# GradBench particle: a charge w is chosen such that a particle that is pushed by two charges crosses the axis as near to the
# origin as can be. The force is the gradient of the potential, and the whole path is differentiated by w. The first letter of a
# name is the way of the outer derivative, the second of the inner: forward, reverse.

import "descent.dsl"

fn potential(x: f64[2], w: f64) -> f64 = 1 / norm(x - [10, 10 - w]) + 1 / norm(x - [10.0, 0.0])

## The square of where the path meets the axis
fn crossing(force: fn(f64[2]) -> f64[2]) -> f64 {
    let dt = 0.1
    var x = [0.0, 8.0]
    var v = [0.75, 0.0]
    while true {
        let a = force(x)
        x += dt * v
        if x[1] <= 0 { break }
        v += dt * a
    }
    return (x[0] - x[1] / v[1] * v[0])^2
}

fn miss_r(w: f64[1]) -> f64 = crossing(fn(x: f64[2]) => -grad(potential, wrt=x)(x, w[0]))
fn miss_f(w: f64[1]) -> f64 = crossing(fn(x: f64[2]) => -forward(fn(y: f64[2]) => potential(y, w[0]), x))

export fn rr(w: f64) -> f64 = least(miss_r, grad(miss_r), [w])[0]
export fn rf(w: f64) -> f64 = least(miss_f, grad(miss_f), [w])[0]
export fn fr(w: f64) -> f64 = least(miss_r, fn(w: f64[1]) => forward(miss_r, w), [w])[0]
export fn ff(w: f64) -> f64 = least(miss_f, fn(w: f64[1]) => forward(miss_f, w), [w])[0]

test "all ways lead to the same charge" {
    assert check_grad(miss_r, [0.1]) < 1e-6
    for w in [rr(0.0), rf(0.0), fr(0.0), ff(0.0)] { assert abs(w - 0.2071918746486116) < 1e-10 }
}
