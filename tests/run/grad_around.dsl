# The derivative by what is read around the end of an axis, x[(i + k) % n], is gathered: it agrees with that along a direction
fn agrees(name: str, f: fn(f64[n]) -> f64, x: f64[n], d: f64[n]) {
    let slope = jvp(f)(x, d).1
    let g = grad(f)(x)
    print(name, abs(sum(g * d) - slope) <= 1e-13 * (1 + abs(slope)), f"{sum(g):.6f}")
}
fn cube(x: f64[n]) -> f64[n] = x^3
let x = rand(1, 24)
let d = randn(2, 24)
agrees("one axis", fn(x) => sum(cube(roll(x, 1)) * x), x, d)
agrees("two axes", fn(x) => sum((roll(reshape(x, 4, 6), -1, 2) * reshape(x, 4, 6))^2), x, d)
agrees("three axes", fn(x) => sum((roll(reshape(x, 2, 3, 4), 1, -1, 3) - roll(reshape(x, 2, 3, 4), 0, 0, -1))^3), x, d)
agrees("backwards", fn(x) => sum([x[(3 - i) % len(x)] * x[i] for i in 0:len(x)]), x, d)
agrees("around twice", fn(x) => sum([x[((i + 5) % len(x) - 7) % len(x)]^2 * x[i] for i in 0:len(x)]), x, d)
agrees("far around", fn(x) => sum([x[(i - 1000 * len(x) + 3) % len(x)]^2 * x[i] for i in 0:len(x)]), x, d)
agrees("of a part", fn(x) => sum([x[(i + 1) % 5]^2 * x[(i + 2) % 5 + 7] for i in 0:5]), x, d)
agrees("axes swapped", fn(x) => sum([reshape(x, 4, 6)[(j + 1) % 4, (i - 1) % 6]^2 * x[i] for i in 0:6, j in 0:4]), x, d)
agrees("chosen", fn(x) => sum([if x[i] > 0.5 { x[(i + 1) % len(x)]^2 } else { x[(i - 1) % len(x)] } for i in 0:len(x)]), x, d)
agrees("not all turns", fn(x) => sum([x[(i + 1) % len(x)]^2 for i in 0:len(x) - 3]), x, d)
agrees("more turns", fn(x) => sum([x[(i + 1) % 5]^2 * x[i] for i in 0:len(x)]), x, d)
agrees("a sum", fn(x) => sum(x[(i + 1) % len(x)] * x[i]^2 for i in 0:len(x)), x, d)
agrees("wraps at 2^64", fn(x) => sum([x[(i + 9223372036854775800) % len(x)]^2 * x[i] for i in 0:len(x)]), x, d)

fn shifted(x: f64[n], k: int) -> f64 = sum(roll(x, k)^2 * x)
print(grad(shifted, wrt=x)([1.0, 2.0, 3.0], 4), grad(shifted, wrt=x)([2.0], 1), size(grad(shifted, wrt=x)(zeros(f64, 0), 1)))
fn head(x: f64[n], m: int) -> f64 = sum([x[(i + 1) % m]^2 * (i + 1) for i in 0:m])
print(grad(head, wrt=x)([1.0, 2.0, 3.0], 2), grad(head, wrt=x)([1.0, 2.0, 3.0], 0))
fn mixed(x: f64[n]) -> f64 = sum(exp(roll(x, 1)) * roll(x, -1)^2)
let v = rand(3, 5)
print(max(abs(hessian(mixed)(v) - hessian(mixed)(v).T)) < 1e-14, max(abs(hessian(mixed)(v) @ v - hvp(mixed)(v, v))) < 1e-14)

fn tracer(c0: f64[n, m], u: f64[n, m], steps: int) -> f64 {
    var c = c0
    for t in checkpoint(0:steps) {
        let flux = u * where(u > 0, roll(c, 1, 0), c)
        c += 0.1 * (flux - roll(flux, -1, 0)) + 0.01 * (roll(c, 0, 1) - 2 * c + roll(c, 0, -1))
    }
    return sum(c^2)
}
let c = rand(4, 6, 5)
let u = randn(5, 6, 5)
let dc = randn(6, 6, 5)
let difference = (tracer(c + 1e-6 * dc, u + 1e-6 * dc, 7) - tracer(c - 1e-6 * dc, u - 1e-6 * dc, 7)) / 2e-6
let (gc, gu) = grad(tracer, wrt=(c0, u))(c, u, 7)
print(abs(sum(gc * dc) + sum(gu * dc) - difference) < 1e-7 * abs(difference), f"{sum(gc^2):.9f} {sum(gu^2):.9f}")
