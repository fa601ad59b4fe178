# GradBench saddle: where the greatest value over b of |a|^2 - |b|^2 is least, by descent within descent; the inner one is
# differentiated by the outer. The first letter of a name is the way of the outer derivative, the second of the inner:
# forward, reverse.

import "descent.dsl"

fn height(a: f64[2], b: f64[2]) -> f64 = sum(a^2) - sum(b^2)

fn best_r(a: f64[2], start: f64[2]) -> f64[2] =
    greatest(fn(b: f64[2]) => height(a, b), fn(b: f64[2]) => grad(height, wrt=b)(a, b), start)
fn best_f(a: f64[2], start: f64[2]) -> f64[2] =
    greatest(fn(b: f64[2]) => height(a, b), fn(b: f64[2]) => forward(fn(c: f64[2]) => height(a, c), b), start)
fn highest_r(a: f64[2], start: f64[2]) -> f64 = height(a, best_r(a, start))
fn highest_f(a: f64[2], start: f64[2]) -> f64 = height(a, best_f(a, start))

export fn rr(start: f64[2]) -> f64[4] {
    let a = least(fn(a: f64[2]) => highest_r(a, start), fn(a: f64[2]) => grad(highest_r, wrt=a)(a, start), start)
    return concat(a, best_r(a, start))
}
export fn rf(start: f64[2]) -> f64[4] {
    let a = least(fn(a: f64[2]) => highest_f(a, start), fn(a: f64[2]) => grad(highest_f, wrt=a)(a, start), start)
    return concat(a, best_f(a, start))
}
export fn fr(start: f64[2]) -> f64[4] {
    let a = least(fn(a: f64[2]) => highest_r(a, start), fn(a: f64[2]) => forward(fn(c: f64[2]) => highest_r(c, start), a), start)
    return concat(a, best_r(a, start))
}
export fn ff(start: f64[2]) -> f64[4] {
    let a = least(fn(a: f64[2]) => highest_f(a, start), fn(a: f64[2]) => forward(fn(c: f64[2]) => highest_f(c, start), a), start)
    return concat(a, best_f(a, start))
}

test "all ways lead to the origin" {
    let start = [1.0, 1.0]
    for x in [rr(start), rf(start), fr(start), ff(start)] {
        for v in x { assert abs(v - 8.246324826140356e-06) < 1e-13 }
    }
}
