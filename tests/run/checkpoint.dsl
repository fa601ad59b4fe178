# Loops with checkpoints have the derivatives that they have without, bit for bit: any number of turns, that segments
# divide or not; several things carried, loops in loops, ints, a while inside, and forward over reverse
fn step(u: f64[n]) -> f64[n] =
    [u[i] + 0.1 * (u[max(i - 1, 0)] - 2 * u[i] + u[min(i + 1, n - 1)]) - 0.01 * u[i]^3 for i in 0:n]
fn plain(u0: f64[n], steps: int) -> f64 {
    var u = u0
    for t in 0:steps { u = step(u) }
    return sum(u^2)
}
fn root(u0: f64[n], steps: int) -> f64 {
    var u = u0
    for t in checkpoint(0:steps) { u = step(u) }
    return sum(u^2)
}
fn fits(u0: f64[n], steps: int) -> f64 {
    var u = u0
    for t in checkpoint(0:steps, memory="1KB") { u = step(u) }
    return sum(u^2)
}
fn down(u0: f64[n], steps: int) -> (f64, int) {
    var u = u0
    var s = 1.0
    var k = 0
    for t in 2*steps + 1:1:-2 {
        u = step(u) * (1 + 0.001 * f64(t))
        s *= 1 + 0.1 * sin(u[0] * s)
        k += t
    }
    return (sum(u^2) * s, k)
}
fn down_by(u0: f64[n], steps: int) -> (f64, int) {
    var u = u0
    var s = 1.0
    var k = 0
    for t in checkpoint(2*steps + 1:1:-2, every=3) {
        u = step(u) * (1 + 0.001 * f64(t))
        s *= 1 + 0.1 * sin(u[0] * s)
        k += t
    }
    return (sum(u^2) * s, k)
}
fn nest(x: f64, n: int) -> f64 {
    var y = x
    for i in 0:n {
        for j in 0:i { y = y * cos(y) + 0.1 }
        while y < 0.3 { y = 1.5 * y + 0.1 }
    }
    return y
}
fn nest_by(x: f64, n: int) -> f64 {
    var y = x
    for i in checkpoint(0:n, every=2) {
        for j in checkpoint(0:i) { y = y * cos(y) + 0.1 }
        while y < 0.3 { y = 1.5 * y + 0.1 }
    }
    return y
}
# at most three states, what varies around the loop, an array that does not
fn forced(u0: f64[n], k: f64, w: f64[n], steps: int) -> f64 {
    var u = u0
    for t in 1:2*steps + 1:2 { u = step(u) * k + 0.01 * w * f64(t) * u[0] }
    return sum(u^2) * k
}
fn forced_by(u0: f64[n], k: f64, w: f64[n], steps: int) -> f64 {
    var u = u0
    for t in checkpoint(1:2*steps + 1:2, slots=3) { u = step(u) * k + 0.01 * w * f64(t) * u[0] }
    return sum(u^2) * k
}
let x = rand(1, 20)
for n in 0:12 {
    let (v, g) = value_and_grad(plain, wrt=u0)(x, n)
    let (w, h) = value_and_grad(root, wrt=u0)(x, n)
    let (k, d) = vjp(down, wrt=u0)(x, n, (1.0, 0))
    let (l, e) = vjp(down_by, wrt=u0)(x, n, (1.0, 0))
    print(n, v == w, all(g == h), all(g == grad(fits, wrt=u0)(x, n)), k.0 == l.0 and k.1 == l.1, all(d == e),
        grad(nest, wrt=x)(0.7, n) == grad(nest_by, wrt=x)(0.7, n))
}
print(all(grad(plain, wrt=u0)(x, 64) == grad(fn(u) => fits(u, 64))(x)))
print(max(abs(hvp(root, wrt=u0)(x, 10, x) - hvp(plain, wrt=u0)(x, 10, x))) < 1e-12)
for n in 0:14 {
    let (a, b, c) = grad(forced)(x, 0.9, 2 * x, n)
    let (d, e, f) = grad(forced_by)(x, 0.9, 2 * x, n)
    print(n, all(a == d), b == e, all(c == f), all(a == grad(forced_by, wrt=u0)(x, 0.9, 2 * x, n)))
}
print(max(abs(hvp(forced_by, wrt=u0)(x, 0.9, x, 10, x) - hvp(forced, wrt=u0)(x, 0.9, x, 10, x))) < 1e-12)
