# Sums that leave branches before derivatives are taken leak no NaN from branches that are not taken
kernel logs(out: out f64[n], x: f64[n], y: f64[n], t: f64) {
    let i = block.x * blockdim.x + thread.x
    if i < n { if x[i] > t { out[i] = x[i] * sum(log(y[k]) for k in 0:n) } else { out[i] = x[i] } }
}
fn f(x: f64[n], y: f64[n], t: f64) -> f64 {
    var o = zeros(f64, n)
    launch logs[1, 64](o, x, y, t)
    return sum(o * o)
}
print(grad(f, wrt=(x, y))([1.0, 2.0], [0.0, 1.0], 5.0), grad(f, wrt=(x, y))([1.0, 2.0], [2.0, 1.0], 1.5))
kernel norms(out: out f64[n], x: f64[n], m: int) {
    let i = block.x * blockdim.x + thread.x
    if i < m { out[i] = x[i] / sqrt(sum(x[k]^2 for k in 0:n)) }
}
fn g(x: f64[n], m: int) -> f64 {
    var o = zeros(f64, n)
    launch norms[1, 64](o, x, m)
    return sum(o)
}
print(grad(g, wrt=x)([0.0, 0.0], 0), grad(g, wrt=x)([inf, 1.0], 0), grad(g, wrt=x)([3.0, 4.0], 2), grad(g, wrt=x)([3.0, 4.0], 1))
fn h(x: f64[n], c: f64) -> f64 {
    var o = zeros(f64, n)
    parallel for i in 0:n { if x[i] > c { o[i] = x[i] / sum(1 / x[k] for k in 0:n) } else { o[i] = 1.0 } }
    return sum(o)
}
print(grad(h, wrt=x)([0.0, 2.0], 5.0), grad(h, wrt=x)([1.0, 2.0], 0.5), grad(h, wrt=x)([1.0, 2.0], 1.5))
fn hh(x: f64[n], c: f64) -> f64 = sum(if x[i] > c { x[i] / sum(sqrt(x[k] - 1) for k in 0:n) } else { 1.0 } for i in 0:n)
print(grad(hh, wrt=x)([1.0, 2.0], 5.0), grad(hh, wrt=x)([0.0, 2.0], 5.0), grad(hh, wrt=x)([3.0, 2.0], 1.5))
let d = [1.0, 0.5]
print(hvp(hh, wrt=x)([1.0, 2.0], 5.0, d), hvp(g, wrt=x)([0.0, 0.0], 0, d), hvp(f, wrt=y)([1.0, 2.0], [0.0, 1.0], 5.0, d), jvp(hh, wrt=x)([1.0, 2.0], 5.0, d))
print(grad(fn(x) => sum(grad(hh, wrt=x)(x, 5.0)))([1.0, 2.0]))
kernel summed(out: out f64[n], y: f64[n], m: int) {
    let i = block.x * blockdim.x + thread.x
    if i < m { out[i] = sum(log(y[k]) for k in 0:n) }
}
fn none(y: f64[n], m: int) -> f64 {
    var o = zeros(f64, n)
    launch summed[1, 64](o, y, m)
    return sum(o)
}
print(grad(none, wrt=y)([0.0, 1.0], 0), grad(none, wrt=y)([0.5, 1.0], 2), grad(none, wrt=y)([0.5, 1.0], 1))
fn big(x: f64[n]) -> f64 {
    var o = zeros(f64, n)
    launch norms[ceildiv(n, 64), 64](o, x, n)
    return sum(o^3)
}
print(check_grad(big, rand(1, 100)) < 1e-6)
# By rows and columns, of zeros, with the winner of each row, in serial loops
fn by_columns(x: f64[n, m]) -> f64 {
    let y = [x[i, j] / norm(x[:, j]) for i in 0:n, j in 0:m]
    return sum(y^3)
}
fn soft(x: f64[n, m]) -> f64 {
    let e = exp(x - max(x, axis=1, keepdims=true))
    let y = e / sum(e, axis=1, keepdims=true)
    let z = [exp(x[i, j]) / sum(exp(x[i, k]) for k in 0:m) for i in 0:n, j in 0:m]
    return sum(y^3) + sum(z^2)
}
fn serial(x: f64[n]) -> f64 {
    var s = 0.0
    for i in 0:n { if x[i] > 0.2 { s += x[i] / sum(x[k]^2 for k in 0:n) } }
    return s^2
}
let v = rand(3, 12) + 0.1
print(check_grad(fn(x) => by_columns(reshape(x, 3, 4)), v) < 1e-6, check_grad(fn(x) => soft(reshape(x, 3, 4)), v) < 1e-6, check_grad(serial, v) < 1e-6)
print(grad(serial)([0.0, 0.1]), len(grad(soft)(zeros(f64, 0, 3))), len(grad(by_columns)(zeros(f64, 3, 0))))
