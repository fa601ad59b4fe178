# Gradients of launches by parameters in an array, at known places and at others
kernel step(v: out f64[n, m], u: f64[n, m], p: f64[k], at: int) {
    let i = block.y * 4 + thread.y
    let j = block.x * 4 + thread.x
    if i < n and j < m { v[i, j] = p[1] * u[i, j] + p[at] * (u[(i - 1) % n, j] + u[i, (j + 1) % m] - p[0] * u[i, j]) }
}
fn loss(u: f64[n, m], p: f64[3], at: int, steps: int) -> f64 {
    var w = u
    for t in 0:steps {
        var v = w
        launch step[(ceildiv(m, 4), ceildiv(n, 4)), (4, 4)](v, w, p, at)
        w = v
    }
    return sum(w^2)
}
kernel choose(v: out f64[n], p: f64[k], q: f64[k], which: int[n]) {
    let i = block.x * 4 + thread.x
    if i < n {
        v[i] = p[which[i]] * q[2]
        if i > 2 { v[i] = p[which[i]] * p[0] * f64(i) }
    }
}
fn chosen(p: f64[4], which: int[n]) -> f64 {
    var v = zeros(f64, n)
    launch choose[ceildiv(n, 4), 4](v, p, p, which)
    return sum(v^2)
}
fn plain(p: f64[4], which: int[n]) -> f64 = sum([(if i > 2 { p[which[i]] * p[0] * i } else { p[which[i]] * p[2] })^2 for i in 0:n])
fn near(x: f64, y: f64) -> bool = abs(x - y) < 1e-6 * (1 + abs(y))

let u = [f64((i * 7 + j * 5) % 11 - 5) / 8 for i in 0:7, j in 0:5]
let p = [0.5, 0.75, 0.25]
let d = [1.0, -0.5, 0.25]
for at in 0:3 {
    let g = grad(loss, wrt=p)(u, p, at, 3)
    let e = 1e-5
    print(at, near(sum(g * d), (loss(u, p + e * d, at, 3) - loss(u, p - e * d, at, 3)) / (2 * e)),
          near(sum(grad(loss, wrt=u)(u, p, at, 3) * u), (loss((1 + e) * u, p, at, 3) - loss((1 - e) * u, p, at, 3)) / (2 * e)))
}
let which = [(i * 3) % 4 for i in 0:9]
let q = [0.5, -1.0, 2.0, 0.25]
print(chosen(q, which) == plain(q, which), max(abs(grad(fn(p) => chosen(p, which))(q) - grad(fn(p) => plain(p, which))(q))) < 1e-12)
