# Derivatives of what threads do with small arrays: against differences, of launches and parallel for alike
fn loss_rows(p: f64[n, 3], a: f64[3, 3]) -> f64 {
    var e = zeros(f64, n)
    parallel for i in 0:n {
        var s: f64[3] = [0.0, 0.0, 0.0]
        for j in 0:n {
            let d = p[j] - p[i]
            let r2 = sum(d^2) + 0.1
            s += (a @ d) / (r2 * sqrt(r2))
        }
        let x = solve(a + outer(s, s), p[i])
        let w = if s[0] > 0 { cross(s, x) } else { s }
        e[i] = norm(w) + sum(w * x)
    }
    return sum(e)
}
kernel k(e: out f64[n], p: f64[n, 3], a: f64[3, 3]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        var s: f64[3] = zeros(f64, 3)
        for j in 0:n {
            let d = p[j] - p[i]
            let r2 = sum(d^2) + 0.1
            s += (a @ d) / (r2 * sqrt(r2))
        }
        let x = solve(a + outer(s, s), p[i])
        let w = if s[0] > 0 { cross(s, x) } else { s }
        e[i] = norm(w) + sum(w * x)
    }
}
fn loss_kernel(p: f64[n, 3], a: f64[3, 3]) -> f64 {
    var e = zeros(f64, n)
    launch k[ceildiv(n, 8), 8](e, p, a)
    return sum(e)
}
let n = 12
let p = [[sin(f64(i * i + 3 * j)) for j in 0:3] for i in 0:n]
let a = [[4.0, 2.0, 0.5], [0.0, 3.0, -1.0], [2.0, 0.25, 5.0]]
let (gp, ga) = grad(loss_rows, wrt=(p, a))(p, a)
let (hp, ha) = grad(loss_kernel, wrt=(p, a))(p, a)
print(f"{sum(gp):.8f} {sum(ga):.8f} {loss_rows(p, a):.8f}")
print(loss_rows(p, a) - loss_kernel(p, a), max(abs(gp - hp)) < 1e-12, max(abs(ga - ha)) < 1e-12)
let h = 1e-6
var q = p
var worst = 0.0
for i in 0:3 { for j in 0:3 {
    q = p
    q[i, j] += h
    let up = loss_rows(q, a)
    q[i, j] -= 2 * h
    let d = (up - loss_rows(q, a)) / (2 * h)
    worst = max(worst, abs(d - gp[i, j]) / (1 + abs(d)))
    var b = a
    b[i, j] += h
    let bu = loss_kernel(p, b)
    b[i, j] -= 2 * h
    let e = (bu - loss_kernel(p, b)) / (2 * h)
    worst = max(worst, abs(e - ga[i, j]) / (1 + abs(e)))
} }
print(worst < 1e-6)
let (v, jd) = jvp(loss_kernel, wrt=p)(p, a, ones(f64, n, 3))
print(abs(jd - sum(gp)) < 1e-9)
