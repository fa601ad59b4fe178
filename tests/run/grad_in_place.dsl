# Gradients of eliminations, rotations and reflections in place: nests that read what they change later
fn start(x: f64[n * n], n: int) -> f64[n, n] = [sin(x[i * n + j] + f64(2 * i + j)) + (if i == j { 4.0 } else { 0.0 }) for i in 0:n, j in 0:n]
fn ends(u: f64[n, m]) -> f64 = sum(sin(u[i, j]) * f64(1 + (i + 2 * j) % 5) for i in 0:n, j in 0:m)
fn plain(x: f64[25]) -> f64 {
    var u = start(x, 5)
    for k in 0:5 { for i in k + 1:5 {
        let f = u[i, k] / u[k, k]
        for j in k:5 { u[i, j] -= f * u[k, j] }
    } }
    return ends(u)
}
fn slices(x: f64[25]) -> f64 {
    var u = start(x, 5)
    for k in 0:5 { for i in k + 1:5 {
        let f = u[i, k] / u[k, k]
        u[i, k:] -= f * sin(u[k, k:]) * u[i, k:]
    } }
    return ends(u)
}
fn pivots(x: f64[25]) -> f64 { # rows change places; a permutation, which ints hold
    var u = start(-x, 5)
    var p = [i for i in 0:5]
    var sign = 1.0
    for k in 0:5 {
        var best = k
        for i in k + 1:5 { if abs(u[i, k]) > abs(u[best, k]) { best = i } }
        if best != k {
            for j in 0:5 {
                let t = u[k, j]
                u[k, j] = u[best, j]
                u[best, j] = t
            }
            let t = p[k]
            p[k] = p[best]
            p[best] = t
            sign = -sign
        }
        for i in k + 1:5 {
            let f = u[i, k] / u[k, k]
            for j in k:5 { u[i, j] -= f * u[k, j] }
        }
    }
    return sign * ends(u) + sum(f64(p[i]) * u[i, i] for i in 0:5)
}
fn jordan(x: f64[16]) -> f64 {
    var u = start(x, 4)
    for k in 0:4 { for i in 0:4 {
        if i != k {
            let f = u[i, k] / u[k, k]
            for j in 0:4 { u[i, j] -= f * u[k, j] }
        }
    } }
    return ends(u)
}
fn givens(x: f64[25]) -> f64 {
    var u = start(x, 5)
    for k in 0:5 { for i in k + 1:5 {
        let r = sqrt(u[k, k]^2 + u[i, k]^2)
        let c = u[k, k] / r
        let s = u[i, k] / r
        for j in k:5 {
            let a = u[k, j]
            let b = u[i, j]
            u[k, j] = c * a + s * b
            u[i, j] = c * b - s * a
        }
    } }
    return ends(u)
}
fn reflections(x: f64[25]) -> f64 {
    var u = start(x, 5)
    for k in 0:4 {
        let r = sqrt(sum(u[i, k]^2 for i in k:5))
        var v = zeros(f64, 5)
        for i in k:5 { v[i] = u[i, k] }
        v[k] += if u[k, k] > 0 { r } else { -r }
        let w = sum(v^2)
        for j in k:5 {
            let d = 2 * sum(v[i] * u[i, j] for i in k:5) / w
            for i in k:5 { u[i, j] -= d * v[i] }
        }
    }
    return ends(u)
}
fn seen(x: f64[k], f: fn(f64[k]) -> f64, name: str) {
    let g = grad(f)(x)
    print(name, f"{f(x):.10f} {sum(g * cos(arange(len(x)))):.10f}", check_grad(f, x) < 1e-6)
}
fn twice(x: f64[k], f: fn(f64[k]) -> f64) {
    let v = sin(arange(len(x)))
    let h = hvp(f)(x, v)
    let d = (grad(f)(x + 1e-5 * v) - grad(f)(x - 1e-5 * v)) / 2e-5
    print(norm(h - d) < 1e-5 * (1 + norm(h)))
}
let x = [0.3 * sin(1.7 * f64(i)) for i in 0:25]
seen(x, plain, "plain")
seen(x, slices, "slices")
seen(x, pivots, "pivots")
seen(x[:16], jordan, "jordan")
seen(x, givens, "givens")
seen(x, reflections, "reflections")
twice(x, plain)
