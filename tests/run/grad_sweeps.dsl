# Gradients of sweeps and recurrences in place, in nests: what is read is changed later
fn start(x: f64[n * n], n: int) -> f64[n, n] = [sin(x[i * n + j] + f64(2 * i + j)) + (if i == j { 4.0 } else { 0.0 }) for i in 0:n, j in 0:n]
fn ends(u: f64[n, m]) -> f64 = sum(sin(u[i, j]) * f64(1 + (i + 2 * j) % 5) for i in 0:n, j in 0:m)
fn sweeps(x: f64[25]) -> f64 { # up and down, by steps of two, over time
    var u = 0.2 * start(x, 5)
    for t in 0:3 {
        for i in 1:4 { for j in 1:4 { u[i, j] = 0.25 * (u[i - 1, j] * u[i, j] + u[i + 1, j] * u[i, j - 1] + u[i, j + 1]) } }
        for i in 3:0:-1 { for j in 4:-1:-2 { u[i, j] = sin(u[i, j]) * u[i + 1, j] + u[i - 1, j] } }
    }
    return ends(u)
}
fn neville(x: f64[6]) -> f64 {
    var p = sin(x)
    for m in 1:6 { for i in 0:6 - m { p[i] = (p[i] * (2 + x[i + m]) - p[i + 1] * (1 + x[i])) / (1.5 + f64(m) + x[i] - x[i + m]) } }
    return p[0]
}
fn warped(x: f64[12]) -> f64 { # one row of a table, numbers beside it, a branch around what is read
    var d = zeros(f64, 6)
    for i in 0:6 {
        var left = 2.0
        var diagonal = if i == 0 { 0.0 } else { 2.0 }
        for j in 0:6 {
            let up = if i == 0 { 2.0 } else { d[j] }
            let m = -log(exp(-up) + exp(-left) + exp(-diagonal))
            diagonal = up
            left = m + (x[i] - x[6 + j])^2
            d[j] = left
        }
    }
    return d[5]
}
fn sparse_sweeps(x: f64[9], first: int[m], column: int[e]) -> f64 { # rows of different lengths, none at all, too
    var y = sin(x)
    for t in 0:2 { for i in 0:9 {
        var s = 1.0
        for k in first[i]:first[i + 1] { s += x[k % 9] * y[column[k]] * s }
        y[i] = s / (2 + s * s)
    } }
    return sum(y^2)
}
fn layers(x: f64[12]) -> f64 { # three axes, three loops, a number that an inner loop gives
    var u = [sin(x[i * 4 + j * 2 + k] + f64(k)) for i in 0:3, j in 0:2, k in 0:2]
    for i in 1:3 { for j in 0:2 {
        var s = 0.5
        for k in 0:2 {
            s = cos(s) * u[i - 1, j, k]
            u[i, j, k] = u[i, j, k] * s + u[i - 1, 1 - j, k]
            u[i - 1, j, k] *= s
        }
        u[i, j, 0] += s * s
    } }
    return sum(u^2)
}
fn pair(x: f64[10]) -> f64 { # two arrays, what one inner loop leaves the next one reads
    var u = sin(x)
    var v = cos(x)
    for t in 0:4 {
        for i in 1:10 { u[i] += 0.3 * v[i] * u[i - 1] }
        for i in 8:-1:-1 { v[i] -= 0.2 * u[i] * v[i + 1] }
        if t % 2 == 0 { for i in 0:9 { u[i] = u[i] * u[i + 1] } }
    }
    return sum(u * v)
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
seen(x, sweeps, "sweeps")
seen(x[:6], neville, "neville")
seen(x[:12], warped, "warped")
let first = [0, 2, 2, 5, 6, 6, 9, 10, 13, 15]
let column = [(7 * k + k // 3) % 9 for k in 0:15]
seen(x[:9], fn(y) => sparse_sweeps(y, first, column), "sparse_sweeps")
seen(x[:12], layers, "layers")
seen(x[:10], pair, "pair")
twice(x[:6], neville)
twice(x[:12], warped)
