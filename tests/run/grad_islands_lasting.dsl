# Gradients of wavefronts, eliminations and sweeps whose threads change an array in place, in loops: beside the same in plain loops
fn antidiagonals(s: f64[n, m], side: int) -> f64 {
    var t = 0.5 * ones(f64, n, m)
    for d in 2:n + m - 1 {
        if side == 0 { for i in max(1, d - m + 1):min(d, n) { t[i, d - i] = sin(t[i - 1, d - i - 1]) * s[i, d - i] + t[i - 1, d - i] * t[i, d - i - 1] } }
        else { parallel for i in max(1, d - m + 1):min(d, n) { t[i, d - i] = sin(t[i - 1, d - i - 1]) * s[i, d - i] + t[i - 1, d - i] * t[i, d - i - 1] } }
    }
    return t[n - 1, m - 1]
}
fn eliminated(a0: f64[n, m], side: int) -> f64 {
    var a = a0
    for k in 0:min(n, m) {
        if side == 0 { for i in k + 1:n { let f = a[i, k] / a[k, k]; for j in k:m { a[i, j] -= f * a[k, j] } } }
        else { parallel for i in k + 1:n { let f = a[i, k] / a[k, k]; for j in k:m { a[i, j] -= f * a[k, j] } } }
    }
    return sum(a^2)
}
fn relaxed(a: f64[n, m], side: int) -> f64 { # over time, along antidiagonals
    var u = a
    for t in 0:3 {
        for d in 2:n + m - 3 {
            if side == 0 { for i in max(1, d - m + 2):min(d, n - 1) { u[i, d - i] = 0.3 * (u[i - 1, d - i] * u[i + 1, d - i] + u[i, d - i - 1] * u[i, d - i + 1]) } }
            else { parallel for i in max(1, d - m + 2):min(d, n - 1) { u[i, d - i] = 0.3 * (u[i - 1, d - i] * u[i + 1, d - i] + u[i, d - i - 1] * u[i, d - i + 1]) } }
        }
    }
    return sum(u^2)
}
fn carried(a: f64[n, m], side: int) -> f64 { # what loops of threads carry, branches, sums
    var u = a
    for k in 1:n {
        if side == 0 {
            for j in 0:m {
                var s = u[k, j]
                for i in 0:k { s = sin(s) + 0.1 * u[i, j] * u[k, j] }
                u[k, j] = if s > 0 { s * u[k - 1, j] } else { s + sum(u[i, j]^2 for i in 0:k) }
            }
        } else {
            parallel for j in 0:m {
                var s = u[k, j]
                for i in 0:k { s = sin(s) + 0.1 * u[i, j] * u[k, j] }
                u[k, j] = if s > 0 { s * u[k - 1, j] } else { s + sum(u[i, j]^2 for i in 0:k) }
            }
        }
    }
    return sum(u^2)
}
fn shown(name: str, value: f64, plain: f64[n, m], threads: f64[n, m]) {
    print(name, f"{value:.9g} {sum(plain):.9g}", max(abs(plain - threads)) <= 1e-12 * (1 + max(abs(plain))))
}
for case in 0:3 {
    let n = 6 - case % 2 + case // 2
    let m = 7 + case % 2 - 3 * (case // 2)
    let x = [0.4 * sin(f64(3 * i + 5 * j)) + (if i == j { 2.0 } else { 0.0 }) for i in 0:n, j in 0:m]
    shown("antidiagonals", antidiagonals(x, 1), grad(antidiagonals, wrt=s)(x, 0), grad(antidiagonals, wrt=s)(x, 1))
    shown("eliminated", eliminated(x, 1), grad(eliminated, wrt=a0)(x, 0), grad(eliminated, wrt=a0)(x, 1))
    shown("relaxed", relaxed(x, 1), grad(relaxed, wrt=a)(x, 0), grad(relaxed, wrt=a)(x, 1))
    shown("carried", carried(x, 1), grad(carried, wrt=a)(x, 0), grad(carried, wrt=a)(x, 1))
}
