# Values that are used twice, 34 times over: no analysis follows each way through them.
fn columns(a: f64[n, m]) -> f64[m] {
    var y = zeros(f64, m)
    parallel for j in 0:m {
        var (s, c) = (0.0, 1)
        for k in 0:100 {
            var h = c
            h = h * h + h
            h = h * h + h
            h = h * h + h
            h = h * h + h
            h = h * h + h
            h = h * h + h
            h = h * h + h
            h = h * h + h
            h = h * h + h
            h = h * h + h
            h = h * h + h
            h = h * h + h
            h = h * h + h
            h = h * h + h
            h = h * h + h
            h = h * h + h
            h = h * h + h
            h = h * h + h
            h = h * h + h
            h = h * h + h
            h = h * h + h
            h = h * h + h
            h = h * h + h
            h = h * h + h
            h = h * h + h
            h = h * h + h
            h = h * h + h
            h = h * h + h
            h = h * h + h
            h = h * h + h
            h = h * h + h
            h = h * h + h
            h = h * h + h
            h = h * h + h
            s += a[h % n, j]
            c = (c * 5 + 1) % 1000
        }
        y[j] = s
    }
    return y
}
kernel hashed(y: out f64[n], x: f64[n]) {
    shared t: f64[64]
    let i = block.x * blockdim.x + thread.x
    var (h, g) = (i, 0.25)
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    g = g * g - 0.5 * g
    if i < n { t[thread.x] = x[h % n] * g }
    barrier
    if i < n { y[i] = if h % 3 > 0 { t[thread.x] } else { t[63 - thread.x] } }
}
fn mixed(x: f64[n]) -> f64 {
    var s = 0.0
    for i in 0:n {
        var (v, h) = (x[i], i)
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        v = v * v - 0.5 * v
        h = h * h + h
        h = h * h + h
        h = h * h + h
        h = h * h + h
        h = h * h + h
        h = h * h + h
        h = h * h + h
        h = h * h + h
        h = h * h + h
        h = h * h + h
        h = h * h + h
        h = h * h + h
        h = h * h + h
        h = h * h + h
        h = h * h + h
        h = h * h + h
        h = h * h + h
        h = h * h + h
        h = h * h + h
        h = h * h + h
        h = h * h + h
        h = h * h + h
        h = h * h + h
        h = h * h + h
        h = h * h + h
        h = h * h + h
        h = h * h + h
        h = h * h + h
        h = h * h + h
        h = h * h + h
        h = h * h + h
        h = h * h + h
        h = h * h + h
        h = h * h + h
        if v > 0.1 and h % 2 == 0 { s += v * x[h % n] }
    }
    return s + sum(x * x)
}
fn arrays(x: f64[n]) -> f64 {
    var v = 0.1 * x
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    return sum(v)
}
let a = [f64(i * 7 + j) / 50 for i in 0:20, j in 0:30]
let x = [0.3 + 0.001 * i for i in 0:128]
var y = zeros(f64, 128)
launch hashed[2, 64](y, x)
print(columns(a), sum(y), mixed(x), arrays(x))
print(sum(grad(mixed)(x)), sum(grad(arrays)(x)))

fn rows(a: f64[n, m]) -> f64[n] {
    return [sum([ g(a[i, k]) * a[i, k] for k in 0:m]) for i in 0:n]
}
fn g(x: f64) -> f64 {
    var v = x
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    v = v * v - 0.5 * v
    return v
}
fn g2(x: f64, y: f64) -> f64 = g(x) * g(y) + g(g(x) + y)
fn hash(i: int) -> int {
    var h = i
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    h = h * h + h
    return h
}
fn scatter(x: f64[n]) -> f64[16] {
    var y = zeros(f64, 16)
    for i in 0:n { y[hash(i) % 16] += g(x[i]) }
    return y
}
fn pscatter(x: f64[n]) -> f64[16] {
    var y = zeros(f64, 16)
    parallel for i in 0:n { atomic y[hash(i) % 16] += g(x[i]) }
    return y
}
fn stencil(x: f64[n]) -> f64[n] {
    var u = x
    for t in 0:5 { u = [if i > 0 and i < n - 1 { g(u[i - 1]) + g2(u[i], u[i + 1]) } else { u[i] } for i in 0:n] }
    return u
}
fn wh(x: f64) -> f64 {
    var (v, k) = (x, 0)
    while hash(k) % 7 != 3 and k < 9 { v = g(v) + 0.1 * k; k += 1 }
    return v
}
let w = [0.3 + 0.001 * i for i in 0:100]
let b = reshape(w, 10, 10)
print(sum(rows(b)), sum(scatter(x)), sum(pscatter(x)), sum(stencil(x)), wh(0.2))
print(sum(grad(fn(x: f64[n]) => sum(scatter(x)))(x)), sum(grad(fn(x: f64[n]) => sum(stencil(x)))(x)), jvp(wh)(0.2, 1.0))
print(sum(grad(fn(x: f64[n]) => sum(rows(reshape(x, 10, 10))))(w)), sum(grad(fn(x: f64[n]) => sum(pscatter(x)))(x)))
let (i, j) = (hash(3) % 10, hash(4) % 10)
print(a[i, j], a[i:, 0][0] + j)

