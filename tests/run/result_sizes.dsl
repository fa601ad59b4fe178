# Sizes that come with what functions give: always the same number, the caller's own, another in each call
struct Model { f: f64[d, d], h: f64[e, d] }
fn model(q: f64) -> Model = Model(q * eye(3), [[q, 0.0, 1.0], [0.0, q, 2.0]])
fn step(q: f64, n: int) -> f64 {
    let m = model(q)
    var p = eye(3)
    for t in 0:n { p = m.f @ p @ m.f.T + eye(3) }
    return sum(m.h @ p)
}
fn other(q: f64, p: f64[n, n]) -> f64[n, n] {
    let m = model(q)
    let f: f64[n, n] = m.f
    return f @ p
}
fn twice(q: f64) -> f64[k] {
    let x = model(q).f[0]
    return x + model(2 * q).f[1]
}
fn recursive(n: int) -> f64[k] = if n == 0 { ones(f64, 3) } else { recursive(n - 1) * 2 }
fn chosen(m: int) -> f64[k] { return ones(f64, m) }

print(step(0.5, 4), step(0.25, 3), len(twice(1.0)), sum(twice(0.5)))
print(sum(other(2.0, ones(f64, 3, 3))), sum(recursive(3)))
print(len(chosen(4)), len(chosen(7)), sum(chosen(2)))
print(grad(step, wrt=q)(0.5, 4), grad(fn(q) => sum(twice(q)))(0.5))
