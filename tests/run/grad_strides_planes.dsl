# Derivatives by elements of planes: both axes with strides, a diagonal, two equations for two indices; comprehensions, launches, loops
fn once(f: fn(f64[n]) -> f64, x: f64[n], v: f64[n], what: str) {
    let g = grad(f)(x)
    let d = jvp(f)(x, v).1
    print(what, abs(sum(g * v) - d) < 1e-12 * (1 + abs(d)), f"{d:.10g} {sum(g^2):.10g}")
}
fn planes(x: f64[n, m], w: f64[3, 3]) -> f64 = sum(([sum(w[a, b] * x[2*i + a, 2*j + b] for a, b) for i in 0:(n - 1) // 2, j in 0:(m - 1) // 2])^2)
fn pooled(x: f64[n, m]) -> f64 = sum(([max(x[2*i + a, 3*j + b] for a in 0:2, b in 0:3) for i in 0:n // 2, j in 0:m // 3])^3)
fn mean_of(x: f64[n, m]) -> f64 = sum(([(x[2*i, 2*j] + x[2*i + 1, 2*j] + x[2*i, 2*j + 1] + x[2*i + 1, 2*j + 1]) / 4 for i in 0:n // 2, j in 0:m // 2])^3)
fn crossed(x: f64[n, m]) -> f64 = sum(([sum(x[i + a, i - a + 2]^2 for a in 0:3) for i in 0:min(n, m) - 2])^2)
fn mixed(x: f64[n, m]) -> f64 = sum([x[2*i + a, j // 2]^2 * x[i, (j + a) % m] * (1 + a) for i in 0:n // 2, j in 0:m, a in 0:2])
fn diagonal(x: f64[n, m]) -> f64 = sum([x[i, i]^3 for i in 0:min(n, m)])
kernel down(y: out f64[k, l], x: f64[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < k and j < l { y[i, j] = x[2*i, 2*j] * x[2*i + 1, 2*j + 1] }
}
fn launched(x: f64[n, m]) -> f64 {
    var y = zeros(f64, n // 2, m // 2)
    launch down[(ceildiv(m // 2, 4), ceildiv(n // 2, 2)), (4, 2)](y, x)
    return sum(y^3)
}
fn threads(x: f64[n, m], w: f64[3, 3]) -> f64 {
    var y = zeros(f64, (n - 1) // 2, (m - 1) // 2)
    parallel for i in 0:(n - 1) // 2, j in 0:(m - 1) // 2 {
        var s = 0.0
        for a in 0:3 { for b in 0:3 { s += w[a, b] * x[2*i + a, 2*j + b] } }
        y[i, j] = s
    }
    return sum(y^3)
}
fn coarser(u0: f64[n, m], steps: int) -> f64 {
    var u = u0
    for t in 0:steps {
        let c = [u[2*i, 2*j] * u[2*i + 1, 2*j] for i in 0:n // 2, j in 0:m // 2]
        u = [0.5 * u[i, j] + c[min(i // 2, n // 2 - 1), min(j // 2, m // 2 - 1)] for i in 0:n, j in 0:m]
    }
    return sum(u^2)
}
fn on_plane(n: int, m: int) {
    let x = [f64((i * 7 + j * 3) % 11 - 5) / 8 for i in 0:n, j in 0:m]
    let v = [f64((i * 5 + j * 2) % 7 - 3) / 4 for i in 0:n, j in 0:m]
    let w = [f64(i - j) / 2 + 0.25 for i in 0:3, j in 0:3]
    once(fn(x) => planes(reshape(x, n, m), w), flatten(x), flatten(v), "planes")
    once(fn(x) => pooled(reshape(x, n, m)), flatten(x), flatten(v), "pooled")
    once(fn(x) => mean_of(reshape(x, n, m)), flatten(x), flatten(v), "mean")
    once(fn(x) => crossed(reshape(x, n, m)), flatten(x), flatten(v), "crossed")
    once(fn(x) => mixed(reshape(x, n, m)), flatten(x), flatten(v), "mixed")
    once(fn(x) => diagonal(reshape(x, n, m)), flatten(x), flatten(v), "diagonal")
    once(fn(x) => launched(reshape(x, n, m)), flatten(x), flatten(v), "launched")
    once(fn(x) => threads(reshape(x, n, m), w), flatten(x), flatten(v), "threads")
    once(fn(x) => coarser(reshape(x, n, m), 3), flatten(x), flatten(v), "coarser")
}
on_plane(7, 8)
on_plane(8, 11)
