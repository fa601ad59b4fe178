# Derivatives by elements at indices with factors, x[2*i + a]: gathered, an index is solved for and the others go through those that leave
# a multiple of the factor. Sizes that strides do not divide; strides that are known when the program runs, also negative and 0
fn agree(f: fn(f64[n]) -> f64, x: f64[n], v: f64[n], what: str) {
    let g = grad(f)(x)
    let d = jvp(f)(x, v).1
    let again = grad(fn(x) => sum(grad(f)(x) * v))(x)
    let far = jvp(fn(x) => sum(grad(f)(x) * v))(x, v).1
    let ok = abs(sum(g * v) - d) < 1e-12 * (1 + abs(d)) and abs(sum(again * v) - far) < 1e-11 * (1 + abs(far))
    print(what, ok, f"{d:.10g} {g[3]:.10g} {again[4]:.10g}")
}
fn strides(n: int) {
    let x = [f64((i * 7) % 11 - 5) / 8 for i in 0:n]
    let v = [f64((i * 5) % 7 - 3) / 4 for i in 0:n]
    let w = [0.5, -0.25, 1.0]
    print("n", n)
    agree(fn(x) => sum(sum(w[a] * x[2*i + a] for a)^2 for i in 0:(n - 3) // 2 + 1), x, v, "strided")
    agree(fn(x) => sum(sum(w[a] * x[5*i + a] for a)^2 for i in 0:(n - 3) // 5 + 1), x, v, "strided far")
    agree(fn(x) => sum(sum(w[a] * x[n - 1 - 2*i - a] for a)^2 for i in 0:(n - 3) // 2 + 1), x, v, "from end")
    agree(fn(x) => sum(sum(w[a] * x[i + 2*a] for a)^3 for i in 0:n - 4), x, v, "dilated")
    agree(fn(x) => sum(sum(w[a] * x[2*i + 2*a] for a)^3 for i in 0:(n - 5) // 2 + 1), x, v, "strided dilated")
    agree(fn(x) => sum(sum(w[a] * x[2*i + 3*a] for a)^3 for i in 0:(n - 7) // 2 + 1), x, v, "2 and 3")
    agree(fn(x) => sum(sum(w[a] * w[b] * x[2*i + a + b] for a, b in 0:2)^3 for i in 0:(n - 4) // 2 + 1), x, v, "three")
    agree(fn(x) => sum([x[2*i]^2 * x[2*i + 1] * (1 + i) for i in 0:n // 2]), x, v, "pairs")
    agree(fn(x) => sum([x[2*i]^2 * (1 + i) for i in 0:(n + 1) // 2]), x, v, "evens")
    agree(fn(x) => sum([x[n - 1 - 3*i]^3 * (1 + i) for i in 0:(n + 2) // 3]), x, v, "evens from end")
    agree(fn(x) => sum([x[i + 2*j]^2 * (i - j) for i in 0:4, j in 0:n // 2 - 2]), x, v, "both")
    agree(fn(x) => sum([x[i + j]^2 * (i - j) for i in 0:n // 2, j in 0:n // 2]), x, v, "hankel")
}
fn known_when_it_runs(n: int, s: int, t: int, h: int) {
    let x = [f64((i * 7) % 11 - 5) / 8 for i in 0:n]
    let v = [f64((i * 5) % 7 - 3) / 4 for i in 0:n]
    let w = [0.5, -0.25, 1.0]
    print("n", n)
    agree(fn(x) => sum(sum(w[a] * x[s*i + a] for a)^2 for i in 0:(n - 3) // s + 1), x, v, "runtime stride")
    agree(fn(x) => sum(sum(w[a] * x[(n - 1) - s*i - a] for a)^2 for i in 0:(n - 3) // s + 1), x, v, "runtime from end")
    agree(fn(x) => sum(sum(w[a] * x[(n - 1) + t*i - a] for a)^2 for i in 0:(n - 3) // (0 - t) + 1), x, v, "negative")
    agree(fn(x) => sum(sum(w[a] * x[i + s*a] for a)^2 for i in 0:n - 2*s), x, v, "runtime dilated")
    agree(fn(x) => sum([x[h*i + j]^2 * (1 + i * j) for i in 0:n // h, j in 0:h]), x, v, "flat")
    agree(fn(x) => sum([x[h*i + j]^2 * (1 + i * j) for i in 0:n // h, j in 0:2]), x, v, "flat part")
    agree(fn(x) => sum([x[(h*i + j) * s + k]^2 * (1 + i * j - k) for i in 0:n // (h * s), j in 0:h, k in 0:s]), x, v, "flat 3")
    agree(fn(x) => sum([x[(s - 2) * i + j]^2 * (1 + i) for i in 0:n - 4, j in 0:4]), x, v, "zero 2")
}
for n in [7, 8, 9, 24] { strides(n) }
known_when_it_runs(41, 2, -2, 5)
known_when_it_runs(40, 3, -3, 4)
known_when_it_runs(40, 3, -1, 7)

# A stride so large that products do not fit
fn far(x: f64[n], s: int) -> f64 = sum(x[s * i + a]^2 * (1 + i) for i in 0:1, a in 0:n)
print(grad(far, wrt=x)([1.0, 2.0, 3.0], 9223372036854775807), grad(far, wrt=x)([1.0, 2.0, 3.0], 0))

# Planes: both axes with strides, a diagonal, two equations for two indices
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
    agree(fn(x) => planes(reshape(x, n, m), w), flatten(x), flatten(v), "planes")
    agree(fn(x) => pooled(reshape(x, n, m)), flatten(x), flatten(v), "pooled")
    agree(fn(x) => mean_of(reshape(x, n, m)), flatten(x), flatten(v), "mean")
    agree(fn(x) => crossed(reshape(x, n, m)), flatten(x), flatten(v), "crossed")
    agree(fn(x) => mixed(reshape(x, n, m)), flatten(x), flatten(v), "mixed")
    agree(fn(x) => diagonal(reshape(x, n, m)), flatten(x), flatten(v), "diagonal")
    agree(fn(x) => launched(reshape(x, n, m)), flatten(x), flatten(v), "launched")
    agree(fn(x) => threads(reshape(x, n, m), w), flatten(x), flatten(v), "threads")
    agree(fn(x) => coarser(reshape(x, n, m), 3), flatten(x), flatten(v), "coarser")
}
on_plane(7, 8)
on_plane(8, 11)
