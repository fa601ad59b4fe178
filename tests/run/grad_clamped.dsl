# Derivatives by elements at indices that stop at the ends of an axis: x[min(i + 1, n - 1)], x[clamp(i + a - 1, 0, n - 1)]: gathered,
# inside from one place, at the ends from those beyond
fn agree(f: fn(f64[n]) -> f64, x: f64[n], v: f64[n], what: str) {
    let g = grad(f)(x)
    let d = jvp(f)(x, v).1
    let again = grad(fn(x) => sum(grad(f)(x) * v))(x)
    let far = jvp(fn(x) => sum(grad(f)(x) * v))(x, v).1
    let ok = abs(sum(g * v) - d) < 1e-12 * (1 + abs(d)) and abs(sum(again * v) - far) < 1e-11 * (1 + abs(far))
    print(what, ok, f"{d:.10g} {sum(g^2):.10g} {sum(again^2):.10g}")
}
fn once(f: fn(f64[n]) -> f64, x: f64[n], v: f64[n], what: str) {
    let g = grad(f)(x)
    let d = jvp(f)(x, v).1
    print(what, abs(sum(g * v) - d) < 1e-12 * (1 + abs(d)), f"{d:.10g} {sum(g^2):.10g}")
}
fn ends(n: int) {
    let x = [f64((i * 7) % 11 - 5) / 8 for i in 0:n]
    let v = [f64((i * 5) % 7 - 3) / 4 for i in 0:n]
    let w = [0.5, -0.25, 1.0]
    print("n", n)
    once(fn(x) => sum(sum(w[a] * x[max(0, min(i + a - 1, n - 1))] for a)^3 for i in 0:n), x, v, "clamped")
    once(fn(x) => sum(sum(w[a] * x[clamp(i + a - 1, 0, n - 1)] for a)^3 for i in 0:n), x, v, "clamp")
    once(fn(x) => sum(sum(w[a] * x[clamp(2*i - a - 1, 0, n - 1)] for a)^3 for i in 0:n), x, v, "clamp strided")
    once(fn(x) => sum(sum(w[a] * x[min(i, n - 3) + a] for a)^3 for i in 0:n), x, v, "clamp alone")
    agree(fn(x) => sum([(x[min(i + 1, n - 1)] - 2*x[i] + x[max(i - 1, 0)])^3 for i in 0:n]), x, v, "heat")
    once(fn(x) => sum([x[n - 1 - min(2*i, n - 1)]^3 * (1 + i) for i in 0:n]), x, v, "clamp back")
}
for n in [5, 8, 13] { ends(n) }

# Both axes stop, or go around
fn plane(x: f64[n, m], w: f64[3, 3]) -> f64 = sum(([sum(w[a, b] * x[clamp(i + a - 1, 0, n - 1), clamp(j + b - 1, 0, m - 1)] for a, b) for i in 0:n, j in 0:m])^3)
fn torus(x: f64[n, m], w: f64[3, 3]) -> f64 = sum(([sum(w[a, b] * x[(i + a - 1) % n, (j + b - 1) % m] for a, b) for i in 0:n, j in 0:m])^3)
fn heat(x: f64[n, m]) -> f64 {
    var u = x
    for t in 0:3 { u = [u[i, j] + 0.2 * (u[min(i + 1, n - 1), j] + u[max(i - 1, 0), j] + u[i, min(j + 1, m - 1)] + u[i, max(j - 1, 0)] - 4 * u[i, j])
                        - 0.1 * u[i, j]^3 for i in 0:n, j in 0:m] }
    return sum(u^3)
}
fn up(x: f64[n, m]) -> f64 = sum(([(x[i // 2, j // 2] + x[(i + 1) // 2, (j + 1) // 2]) / 2 for i in 0:2*n - 1, j in 0:2*m - 1])^3)
fn on_plane(n: int, m: int) {
    let x = [f64((i * 7 + j * 3) % 11 - 5) / 8 for i in 0:n, j in 0:m]
    let v = [f64((i * 5 + j * 2) % 7 - 3) / 4 for i in 0:n, j in 0:m]
    let w = [f64(i - j) / 2 + 0.25 for i in 0:3, j in 0:3]
    once(fn(x) => plane(reshape(x, n, m), w), flatten(x), flatten(v), "plane")
    once(fn(x) => torus(reshape(x, n, m), w), flatten(x), flatten(v), "torus")
    once(fn(x) => heat(reshape(x, n, m)), flatten(x), flatten(v), "heat")
    once(fn(x) => up(reshape(x, n, m)), flatten(x), flatten(v), "up")
}
on_plane(3, 5)
on_plane(4, 2)
