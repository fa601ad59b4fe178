# Gradients of alignments, Gauss-Jordan, eliminations with exchanged rows and by launches, whose threads change an array in place, in
# loops: beside the same in plain loops
fn alignment(s: f64[n, m], side: int) -> f64 {
    var t = zeros(f64, n, m)
    for d in n + m - 4:-1:-1 {
        if side == 0 {
            for i in max(0, d - m + 2):min(d + 1, n - 1) {
                let j = d - i
                let low = min(t[i + 1, j + 1], min(t[i + 1, j], t[i, j + 1]))
                t[i, j] = s[i, j]^2 + low - log(exp(low - t[i + 1, j + 1]) + exp(low - t[i + 1, j]) + exp(low - t[i, j + 1]))
            }
        } else {
            parallel for i in max(0, d - m + 2):min(d + 1, n - 1) {
                let j = d - i
                let low = min(t[i + 1, j + 1], min(t[i + 1, j], t[i, j + 1]))
                t[i, j] = s[i, j]^2 + low - log(exp(low - t[i + 1, j + 1]) + exp(low - t[i + 1, j]) + exp(low - t[i, j + 1]))
            }
        }
    }
    return t[0, 0]
}
fn reduced(a0: f64[n, m], side: int) -> f64 { # Gauss and Jordan, from below
    var a = a0
    for k in min(n, m) - 1:-1:-1 {
        let p = a[k, k]
        if side == 0 {
            for j in 0:m { a[k, j] = a[k, j] / p }
            for i in 0:n { if i != k { let f = a[i, k]; for j in 0:m { a[i, j] -= f * a[k, j] } } }
        } else {
            parallel for j in 0:m { a[k, j] = a[k, j] / p }
            parallel for i in 0:n { if i != k { let f = a[i, k]; for j in 0:m { a[i, j] -= f * a[k, j] } } }
        }
    }
    return sum(sin(a))
}
fn exchanged(a0: f64[n, m], side: int) -> f64 {
    var a = a0
    for k in 0:min(n, m) {
        var p = k
        for i in k + 1:n { if abs(a[i, k]) > abs(a[p, k]) { p = i } }
        if side == 0 {
            for j in 0:m { let t = a[k, j]; a[k, j] = a[p, j]; a[p, j] = t }
            for i in k + 1:n { let f = a[i, k] / a[k, k]; for j in k:m { a[i, j] -= f * a[k, j] } }
        } else {
            parallel for j in 0:m { if p != k { let t = a[k, j]; a[k, j] = a[p, j]; a[p, j] = t } }
            parallel for i in k + 1:n { let f = a[i, k] / a[k, k]; for j in k:m { a[i, j] -= f * a[k, j] } }
        }
    }
    return sum(a^2)
}
kernel eliminate(a: inout f64[n, m], b: inout f64[n], k: int) {
    let i = block.y * blockdim.y + thread.y + k + 1
    let j = block.x * blockdim.x + thread.x + k + 1
    if i < n and j < m {
        a[i, j] -= a[i, k] / a[k, k] * a[k, j]
        if j == k + 1 { b[i] -= a[i, k] / a[k, k] * b[k] }
    }
}
fn launched(a0: f64[n, m], side: int) -> f64 {
    var a = a0
    var b = [cos(f64(i)) for i in 0:n]
    for k in 0:min(n, m) {
        if side == 0 {
            for i in k + 1:n {
                for j in k + 1:m { a[i, j] -= a[i, k] / a[k, k] * a[k, j] }
                if k + 1 < m { b[i] -= a[i, k] / a[k, k] * b[k] }
            }
        } else { launch eliminate[(ceildiv(m, 4), ceildiv(n, 2)), (4, 2)](a, b, k) }
    }
    return sum(a^2) + sum(b^3)
}
fn shown(name: str, value: f64, plain: f64[n, m], threads: f64[n, m]) {
    print(name, f"{value:.9g} {sum(plain):.9g}", max(abs(plain - threads)) <= 1e-12 * (1 + max(abs(plain))))
}
for case in 0:3 {
    let n = 6 - case % 2 + case // 2
    let m = 7 + case % 2 - 3 * (case // 2)
    let x = [0.4 * sin(f64(3 * i + 5 * j)) + (if i == j { 2.0 } else { 0.0 }) for i in 0:n, j in 0:m]
    shown("alignment", alignment(x, 1), grad(alignment, wrt=s)(x, 0), grad(alignment, wrt=s)(x, 1))
    shown("reduced", reduced(x[:3], 1), grad(reduced, wrt=a0)(x[:3], 0), grad(reduced, wrt=a0)(x[:3], 1))
    shown("exchanged", exchanged(x[::-1], 1), grad(exchanged, wrt=a0)(x[::-1], 0), grad(exchanged, wrt=a0)(x[::-1], 1))
    shown("launched", launched(x, 1), grad(launched, wrt=a0)(x, 0), grad(launched, wrt=a0)(x, 1))
}
