# Gradients through launches and parallel loops, beside differences.
fn check(name: int, g: f64[n], d: f64[n]) { print(name, max(abs(g - d)) / (1 + max(abs(d))) < 1e-7) }
fn diff(f: fn(f64[n]) -> f64, x: f64[n]) -> f64[n] {
    var d = zeros(f64, n)
    for i in 0:n {
        var a = x
        var b = x
        a[i] += 1e-5
        b[i] -= 1e-5
        d[i] = (f(a) - f(b)) / 2e-5
    }
    return d
}
let x = [0.3, 0.7, -0.4, 0.9, 0.25, 0.6]
kernel step(next: out f64[n], cur: f64[n], prev: f64[n], c: f64) {
    let i = block.x * blockdim.x + thread.x
    if i >= 1 and i < n - 1 {
        next[i] = 2*cur[i] - prev[i] + c^2 * (cur[i-1] - 2*cur[i] + cur[i+1])
    }
}
fn wave(u0: f64[n], c: f64, steps: int) -> f64 {
    var prev = u0
    var cur = u0
    for t in 0:steps {
        var next = zeros(f64, n)
        launch step[ceildiv(n, 4), 4](next, cur, prev, c)
        prev = cur
        cur = next
    }
    return sum(cur^2) + sum(cur)
}
check(1, grad(wave, wrt=u0)(x, 0.5, 5), diff(fn(u) => wave(u, 0.5, 5), x))
check(2, [grad(wave, wrt=c)(x, 0.5, 5)], diff(fn(c) => wave(x, c[0], 5), [0.5]))
kernel mm(c: out f64[n, m], a: f64[n, p], b: f64[p, m], bias: f64[n]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i >= n or j >= m { return }
    var s = bias[i]
    for k in 0:p { s += a[i, k] * b[k, j] }
    c[i, j] = max(s, 0.0)
}
fn layer(x: f64[n]) -> f64 {
    let a = reshape(x, 2, n // 2)
    let b = [x[i] + x[j] for i in 0:n // 2, j in 0:4]
    var c = zeros(f64, 2, 4)
    launch mm[(1, 1), (4, 2)](c, a, b, [x[1], x[2]])
    return sum(c^2)
}
check(3, grad(layer)(x), diff(layer, x))
fn par(x: f64[n]) -> f64 {
    var y = zeros(f64, n)
    parallel for i in 0:n { 
        if x[i] > 0.5 { y[i] = sin(x[i]) * x[n - 1 - i] } }
    parallel for i in 0:n-1 { y[i] = y[i] * x[i+1] }
    return sum(y^2)
}
check(4, grad(par)(x), diff(par, x))
fn conv(x: f64[n]) -> f64 {
   let w = x[0:3]
   var y = zeros(f64, n - 2)
   parallel for i in 0:n-2 { 
      for k in 0:3 { y[i] += w[k] * x[i+k] } }
   return sum(y^3)
}
check(5, grad(conv)(x), diff(conv, x))
kernel scalew(x: inout f64[n, 2], s: f64) {
   let i = thread.x
   x[i, 0] = x[i, 0] * s + x[i, 1] }
fn scl(x: f64[n]) -> f64 {
   var y = reshape(x, n // 2, 2)
   launch scalew[1, n // 2](y, x[0])
   return sum(y^2) }
check(6, grad(scl)(x), diff(scl, x))
