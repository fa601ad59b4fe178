# Derivatives by elements at indices that go around an axis, or are quotients: x[(i + a) % n], x[(2*i + a) % n], x[i // 2]: gathered
fn agree(f: fn(f64[n]) -> f64, x: f64[n], v: f64[n], what: str) {
    let g = grad(f)(x)
    let d = jvp(f)(x, v).1
    let again = grad(fn(x) => sum(grad(f)(x) * v))(x)
    let far = jvp(fn(x) => sum(grad(f)(x) * v))(x, v).1
    let ok = abs(sum(g * v) - d) < 1e-12 * (1 + abs(d)) and abs(sum(again * v) - far) < 1e-11 * (1 + abs(far))
    print(what, ok, f"{d:.10g} {sum(g^2):.10g} {sum(again^2):.10g}")
}
fn ends(n: int) {
    let x = [f64((i * 7) % 11 - 5) / 8 for i in 0:n]
    let v = [f64((i * 5) % 7 - 3) / 4 for i in 0:n]
    let w = [0.5, -0.25, 1.0]
    print("n", n)
    agree(fn(x) => sum(sum(w[a] * x[(i + a) % n] for a)^3 for i in 0:n), x, v, "circular")
    agree(fn(x) => sum(sum(w[a] * x[(i - a) % n] for a)^3 for i in 0:2*n + 3), x, v, "circular twice")
    agree(fn(x) => sum([x[i % n]^2 * x[(i + 4) % 5] * (1 + i) for i in 0:3*n - 1]), x, v, "around")
    agree(fn(x) => sum([x[i // 2]^2 * x[(i + 1) // 2]^2 * (1 + i) for i in 0:2*n - 1]), x, v, "halves")
    agree(fn(x) => sum([x[i // 3 + 1]^2 * (1 + i) for i in 0:3*(n - 1)]), x, v, "thirds")
    agree(fn(x) => sum([x[(2*i) // 3]^2 * (1 + i) for i in 0:n]), x, v, "two thirds")
    agree(fn(x) => sum(sum(w[a] * x[i // 2 + a] for a)^2 for i in 0:2*(n - 2)), x, v, "half a")
    agree(fn(x) => sum([x[abs(i - 2)]^2 * i for i in 0:n]), x, v, "abs")
}
fn repeats(n: int, s: int, h: int) {
    let x = [f64((i * 7) % 11 - 5) / 8 for i in 0:n]
    let v = [f64((i * 5) % 7 - 3) / 4 for i in 0:n]
    print("n", n)
    agree(fn(x) => sum([x[i // s]^2 * (1 + i) for i in 0:s*n - 1]), x, v, "repeat")
    agree(fn(x) => sum([x[i % h]^2 * (1 + i) for i in 0:n]), x, v, "around h")
}
for n in [7, 8, 13] { ends(n) }
repeats(9, 2, 5)
repeats(8, 3, 8)

# One element, none
fn at_ends(x: f64[n]) -> f64 = sum([(x[min(i + 1, n - 1)] - 2 * x[i] + x[max(i - 2, 0)])^2 for i in 0:n])
fn wide(x: f64[n]) -> f64 = sum([sum(x[clamp(i + a - 3, 0, n - 1)] for a in 0:7)^2 for i in 0:n])
fn doubled(x: f64[n]) -> f64 = sum([x[i // 2]^2 for i in 0:2 * n])
fn ring(x: f64[n]) -> f64 = sum([sum(x[(i + a) % n] for a in 0:5)^2 for i in 0:n])
for n in 1:4 {
    let x = [f64(2^i) for i in 0:n]
    print(grad(at_ends)(x), grad(wide)(x), grad(doubled)(x), grad(ring)(x))
}
let none = zeros(f64, 0)
print(grad(at_ends)(none), grad(wide)(none), grad(doubled)(none), grad(ring)(none))

fn once(f: fn(f64[n]) -> f64, x: f64[n], v: f64[n], what: str) {
    let g = grad(f)(x)
    let d = jvp(f)(x, v).1
    print(what, abs(sum(g * v) - d) < 1e-12 * (1 + abs(d)), f"{d:.10g} {sum(g^2):.10g}")
}
fn rounds(n: int) {
    let x = [f64((i * 7) % 11 - 5) / 8 for i in 0:n]
    let v = [f64((i * 5) % 7 - 3) / 4 for i in 0:n]
    let w = [0.5, -0.25, 1.0]
    once(fn(x) => sum(sum(w[a] * x[(2*i + a) % n] for a)^3 for i in 0:n // 2), x, v, "wavelet")
    once(fn(x) => sum(sum(w[a] * x[(2*i - a - 3) % n] for a)^3 for i in 0:n), x, v, "wavelet back")
    once(fn(x) => sum([x[(3*i) % n]^3 * (i + 1) for i in 0:2*n]), x, v, "every third")
    once(fn(x) => sum([x[(1 - 5*i) % n]^3 * (i + 1) for i in 0:n]), x, v, "every fifth")
    once(fn(x) => sum(sum(w[a] * x[(i + 2*a) % n] for a)^3 for i in 0:n), x, v, "dilated ring")
}
for n in [5, 8, 13] { rounds(n) }
