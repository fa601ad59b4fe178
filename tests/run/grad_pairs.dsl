# Derivatives through pairs of indices, read, assigned, updated: they agree with differences
fn picked(m: f64[n, l], w: f64[q]) -> f64 = sum(m[[0, 2, 1, 0, 0], [3, 1, 0, 3, 3]]^2 * w)
fn updated(m: f64[n, l], w: f64[q]) -> f64 {
    var x = m
    x[[0, 2, 1, 0, 0], [3, 1, 0, 3, 3]] += w^2
    x[[1, 1], [0, 2]] *= 1.5
    x[[1, 1], [0, 2]] *= x[[0, 0], [3, 2]]
    x[[0, 1], [0, 0]] = [w[0], sin(w[1])]
    return sum(x^2)
}
fn rows(t: f64[a, b, c], w: f64[c]) -> f64 {
    var y = t
    y[[0, 1, 0], [1, 1, 1]] += w
    return sum(y[[1, 0], [1, 1], :]^3) + sum(y[:, [0, 1], [1, 0]])
}
let m = [[0.3 * i + 0.1 * j + 0.5 for j in 0:4] for i in 0:3]
let w = [0.5, 1.0, 1.5, 2.0, 2.5]
fn differs(f: fn(f64[n, l], f64[q]) -> f64, m: f64[n, l], w: f64[q]) -> f64 {
    let (gm, gw) = grad(f)(m, w)
    var worst = 0.0
    let h = 1e-6
    for i in 0:n { for j in 0:l {
        var a = m
        var b = m
        a[i, j] += h
        b[i, j] -= h
        worst = max(worst, abs((f(a, w) - f(b, w)) / (2 * h) - gm[i, j]))
    } }
    for i in 0:q {
        var a = w
        var b = w
        a[i] += h
        b[i] -= h
        worst = max(worst, abs((f(m, a) - f(m, b)) / (2 * h) - gw[i]))
    }
    return worst
}
# with differences
print(differs(picked, m, w) < 1e-7, differs(updated, m, w) < 1e-7)
print(grad(picked)(m, w))
print(grad(updated)(m, w))
print(jvp(picked)(m, w, (m, w)), jvp(updated)(m, w, (m, w)), sum(grad(updated)(m, w).0 * m) + sum(grad(updated)(m, w).1 * w))
let t = [[[0.1 * (i + j + l) for l in 0:2] for j in 0:2] for i in 0:2]
let u = [0.5, 1.0]
print(grad(rows)(t, u), jvp(rows)(t, u, (t, u)), sum(grad(rows)(t, u).0 * t) + sum(grad(rows)(t, u).1 * u))
