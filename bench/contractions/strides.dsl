# Layers that read at strides, around, at borders, each with its gradient: milliseconds, the best of `reps`
const reps = 9

fn layer(w: f32[q, r, v, z], p: f32[b, r, h, u]) -> f32[b, q, (h - v) // 2 + 1, (u - z) // 2 + 1] =
    [sum(w[k, l, c, d] * p[m, l, 2*i + c, 2*j + d] for l, c, d) for m in 0:b, k in 0:q, i in 0:(h - v) // 2 + 1, j in 0:(u - z) // 2 + 1]
fn mean_pool(x: f32[c, n, m]) -> f32[c, n // 2, m // 2] = [sum(x[k, 2*i + a, 2*j + b] for a in 0:2, b in 0:2) / 4 for k in 0:c, i in 0:n // 2, j in 0:m // 2]
fn max_pool(x: f32[c, n, m]) -> f32[c, n // 2, m // 2] = [max(x[k, 2*i + a, 2*j + b] for a in 0:2, b in 0:2) for k in 0:c, i in 0:n // 2, j in 0:m // 2]
fn ring(x: f64[n, m], w: f64[5, 5]) -> f64[n, m] = [sum(w[a, b] * x[(i + a) % n, (j + b) % m] for a, b) for i in 0:n, j in 0:m]
fn border(x: f64[n, m], w: f64[5, 5]) -> f64[n, m] = [sum(w[a, b] * x[clamp(i + a - 2, 0, n - 1), clamp(j + b - 2, 0, m - 1)] for a, b) for i in 0:n, j in 0:m]
fn upsample(x: f64[n, m]) -> f64[2 * n, 2 * m] = [x[i // 2, j // 2] for i in 0:2 * n, j in 0:2 * m]
fn wavelet(x: f64[n], w: f64[4]) -> f64[n // 2] = [sum(w[a] * x[(2*i + a) % n] for a) for i in 0:n // 2]

fn some(i: int) -> f32 = f32((i * 7919) % 1009) / 1009 - f32(0.5)
fn shown(name: str, primal: f64[k], gradient: f64[k], check: f64) { print(name, 1000 * min(primal), 1000 * min(gradient), check) }
var (p, g) = (zeros(f64, reps), zeros(f64, reps))

let w = [some(((i * 32 + j) * 3 + k) * 3 + l) for i in 0:32, j in 0:32, k in 0:3, l in 0:3]
var u = [some(((i * 32 + j) * 66 + k) * 66 + l) for i in 0:4, j in 0:32, k in 0:66, l in 0:66]
var last = f32(0.0)
for r in 0:reps {
    u[0, 0, 0, r] = last * f32(1e-9)
    let start = time()
    last += sum(layer(w, u)^2)
    p[r] = time() - start
    u[0, 0, 0, r] = last * f32(1e-9)
    let again = time()
    let (by_w, by_u) = grad(fn(w, u) => sum(layer(w, u)^2))(w, u)
    g[r] = time() - again
    last += by_w[1, 2, 0, 1] + by_u[0, 1, 2, 3]
}
shown("strided layer", p, g, f64(last))

let t = [some((i * 512 + j) * 512 + k) for i in 0:8, j in 0:512, k in 0:512]
fn of_planes(name: str, f: fn(f32[c, n, m]) -> f32[c, n // 2, m // 2], t: f32[c, n, m]) {
    var (x, p, g) = (t, zeros(f64, reps), zeros(f64, reps))
    var last = f32(0.0)
    for r in 0:reps {
        x[0, 0, r] = last * f32(1e-9)
        let start = time()
        last += sum(f(x)^2)
        p[r] = time() - start
        x[0, 1, r] = last * f32(1e-9)
        let again = time()
        let by = grad(fn(x) => sum(f(x)^2))(x)
        g[r] = time() - again
        last += by[1, 2, 3]
    }
    shown(name, p, g, f64(last))
}
of_planes("mean pooling", mean_pool, t)
of_planes("max pooling", max_pool, t)

let v = [f64(some(i * 5 + j)) for i in 0:5, j in 0:5]
let plane = [f64(some(i * 1000 + j)) for i in 0:1000, j in 0:1000]
fn of_plane(name: str, f: fn(f64[n, m]) -> f64, start: f64[n, m]) {
    var (x, p, g) = (start, zeros(f64, reps), zeros(f64, reps))
    var last = 0.0
    for r in 0:reps {
        x[0, r] = last * 1e-9
        let start = time()
        last += f(x)
        p[r] = time() - start
        x[1, r] = last * 1e-9
        let again = time()
        let by = grad(f)(x)
        g[r] = time() - again
        last += by[1, 2]
    }
    shown(name, p, g, last)
}
of_plane("circular", fn(x) => sum(ring(x, v)^2), plane)
of_plane("border", fn(x) => sum(border(x, v)^2), plane)
of_plane("upsampling", fn(x) => sum(upsample(x)^3), plane)
of_plane("wavelet", fn(x) => sum(wavelet(flatten(x), v[0, 0:4])^2), plane)
