# Gradients of factorisations, recurrences and dynamic programming by hand: arrays that still have at the end what was read, and
# others, which are overwritten
fn chol(A: f64[n, n], k: int) -> f64 {
    var L = zeros(f64, n, n)
    for j in 0:n {
        var d = A[j, j]
        for m in 0:j { d -= L[j, m] * L[j, m] }
        L[j, j] = sqrt(d)
        for i in j + 1:n {
            var s = A[i, j]
            for m in 0:j { s -= L[i, m] * L[j, m] }
            L[i, j] = s / L[j, j]
        }
    }
    return 2 * sum(log(L[i, i]) for i in 0:n) + L[n - 1, 0] + f64(k)
}
fn lu(A: f64[n, n], k: int) -> f64 {
    var L = zeros(f64, n, n)
    var U = zeros(f64, n, n)
    for i in 0:n {
        for j in i:n { U[i, j] = A[i, j] - sum(L[i, m] * U[m, j] for m in 0:i) }
        L[i, i] = 1.0
        for j in i + 1:n { L[j, i] = (A[j, i] - sum(L[j, m] * U[m, i] for m in 0:i)) / U[i, i] }
    }
    return sum(log(abs(U[i, i])) for i in 0:n) + f64(k)
}
fn subst(L: f64[n, n], b: f64[n]) -> f64 {
    var x = zeros(f64, n)
    for i in 0:n {
        var s = b[i]
        for j in 0:i { s -= L[i, j] * x[j] }
        x[i] = s / L[i, i]
    }
    return sum(x * x)
}
fn volterra(k: f64[n], u0: f64) -> f64 {
    var u = zeros(f64, n)
    u[0] = u0
    for t in 1:n { u[t] = u0 + 0.01 * sum(k[t - s] * sin(u[s]) for s in 0:t) }
    return sum(u * u)
}
fn edit(c: f64[n, n], gap: f64) -> f64 {
    var h = zeros(f64, n + 1, n + 1)
    for i in 1:n + 1 { h[i, 0] = gap * f64(i) }
    for j in 1:n + 1 { h[0, j] = gap * f64(j) }
    for i in 1:n + 1 {
        for j in 1:n + 1 {
            let a = h[i - 1, j - 1] + c[i - 1, j - 1]
            let b = min(h[i - 1, j], h[i, j - 1]) + gap
            h[i, j] = -log(exp(-a) + exp(-b))
        }
    }
    return h[n, n]
}
fn fib(a: f64, b: f64, n: int) -> f64 {
    var x = zeros(f64, n)
    x[0] = a
    x[1] = b
    for i in 2:n { x[i] = sin(x[i - 1]) + 0.5 * x[i - 2] * b }
    return x[n - 1] + sum(x)
}
fn inside(p: f64[k, k, k], e: f64[k, v], w: int[n]) -> f64 {
    var q = zeros(f64, n, n, k)
    for i in 0:n { for a in 0:k { q[i, i, a] = e[a, w[i]] } }
    for len in 2:n + 1 {
        for i in 0:n - len + 1 {
            let j = i + len - 1
            for a in 0:k {
                var s = 0.0
                for m in i:j { for b in 0:k { for c in 0:k { s += p[a, b, c] * q[i, m, b] * q[m + 1, j, c] } } }
                q[i, j, a] = 2.0 * s
            }
        }
    }
    return log(q[0, n - 1, 0])
}
fn over_(a: f64[n], p: f64) -> f64 {
    var x = a
    for r in 0:20 { for i in 1:n - 1 { x[i] = x[i] + p * sin(x[i - 1]) * x[i + 1] } }
    return sum(x * x)
}
fn sieve(a: f64[n], p: f64) -> f64 {
    var x = a
    var old = a
    for i in 2:n {
        let keep = x
        x[i] = sin(x[i - 1]) * p + keep[i] * x[i - 2]
        if i % 3 == 0 { x[i - 2] = x[i] * keep[i - 2] }
        old = keep
    }
    return sum(x * x) + sum(old)
}
fn down_(U: f64[n, n], b: f64[n]) -> f64 {
    var x = zeros(f64, n)
    for i in n - 1:-1:-1 {
        var s = b[i]
        for j in i + 1:n { s -= U[i, j] * x[j] }
        x[i] = s / U[i, i]
    }
    return sum(x * x)
}
fn cholin(A: f64[n, n], k: int) -> f64 {
    var L = A
    for j in 0:n {
        L[j, j] = sqrt(L[j, j])
        for i in j + 1:n { L[i, j] = L[i, j] / L[j, j] }
        for m in j + 1:n { for i in m:n { L[i, m] -= L[i, j] * L[m, j] } }
    }
    return 2 * sum(log(L[i, i]) for i in 0:n) + f64(k)
}
# Of a turn of the inner loops the row stays, of the outer one it does not.
fn nested_(x: f64[n], y: f64[n], a: f64[n, m], c: f64, nt: int) -> f64 {
    var f = zeros(f64, nt + 1, m)
    for j in 0:m - 1 { f[0, j] = x[j % n] }
    for t in nt - 1:-1:-1 {
        for j in m - 1:-1:-1 {
            var s = 0.0
            for k in 0:m { s += f[t, k] * a[k % n, j] }
            f[t + 1, j] = 0.5 * sin(s) + c * y[j % n]
        }
    }
    return sum(sin(f) * f)
}
print("chol", chol([if i == j { f64(7) } else { sin(f64(i + j)) } for i in 0:6, j in 0:6], 1), sum(flatten(grad(chol, wrt=(A))([if i == j { f64(7) } else { sin(f64(i + j)) } for i in 0:6, j in 0:6], 1))), check_grad(fn(v) => chol((1 + v[0]) * ([if i == j { f64(7) } else { sin(f64(i + j)) } for i in 0:6, j in 0:6]), 1), zeros(f64, 1)) < 1e-6)
print("lu", lu([if i == j { f64(7) } else { sin(f64(i + 2 * j)) } for i in 0:6, j in 0:6], 1), sum(flatten(grad(lu, wrt=(A))([if i == j { f64(7) } else { sin(f64(i + 2 * j)) } for i in 0:6, j in 0:6], 1))), check_grad(fn(v) => lu((1 + v[0]) * ([if i == j { f64(7) } else { sin(f64(i + 2 * j)) } for i in 0:6, j in 0:6]), 1), zeros(f64, 1)) < 1e-6)
print("subst", subst([if i == j { 3.0 } else { 0.1 * sin(f64(i + 2 * j)) } for i in 0:7, j in 0:7], [cos(f64(i)) for i in 0:7]), sum(flatten(grad(subst, wrt=(L, b))([if i == j { 3.0 } else { 0.1 * sin(f64(i + 2 * j)) } for i in 0:7, j in 0:7], [cos(f64(i)) for i in 0:7]))), check_grad(fn(v) => subst((1 + v[0]) * ([if i == j { 3.0 } else { 0.1 * sin(f64(i + 2 * j)) } for i in 0:7, j in 0:7]), (1 + v[1]) * ([cos(f64(i)) for i in 0:7])), zeros(f64, 2)) < 1e-6)
print("volterra", volterra([exp(-0.1 * f64(i)) for i in 0:7], 0.3), sum(flatten(grad(volterra, wrt=(k, u0))([exp(-0.1 * f64(i)) for i in 0:7], 0.3))), check_grad(fn(v) => volterra((1 + v[0]) * ([exp(-0.1 * f64(i)) for i in 0:7]), (1 + v[1]) * (0.3)), zeros(f64, 2)) < 1e-6)
print("edit", edit([sin(f64(i * j)) for i in 0:7, j in 0:7], 0.7), sum(flatten(grad(edit, wrt=(c, gap))([sin(f64(i * j)) for i in 0:7, j in 0:7], 0.7))), check_grad(fn(v) => edit((1 + v[0]) * ([sin(f64(i * j)) for i in 0:7, j in 0:7]), (1 + v[1]) * (0.7)), zeros(f64, 2)) < 1e-6)
print("fib", fib(0.3, 0.4, 9), sum(flatten(grad(fib, wrt=(a, b))(0.3, 0.4, 9))), check_grad(fn(v) => fib((1 + v[0]) * (0.3), (1 + v[1]) * (0.4), 9), zeros(f64, 2)) < 1e-6)
print("inside", inside([0.1 + 0.02 * f64((a + 2 * b + 3 * c) % 7) for a in 0:3, b in 0:3, c in 0:3], [0.2 + 0.1 * f64((a + v) % 3) for a in 0:3, v in 0:5], [i * 7 % 5 for i in 0:4]), sum(flatten(grad(inside, wrt=(p, e))([0.1 + 0.02 * f64((a + 2 * b + 3 * c) % 7) for a in 0:3, b in 0:3, c in 0:3], [0.2 + 0.1 * f64((a + v) % 3) for a in 0:3, v in 0:5], [i * 7 % 5 for i in 0:4]))), check_grad(fn(v) => inside((1 + v[0]) * ([0.1 + 0.02 * f64((a + 2 * b + 3 * c) % 7) for a in 0:3, b in 0:3, c in 0:3]), (1 + v[1]) * ([0.2 + 0.1 * f64((a + v) % 3) for a in 0:3, v in 0:5]), [i * 7 % 5 for i in 0:4]), zeros(f64, 2)) < 1e-6)
print("over_", over_([sin(f64(i)) for i in 0:7], 0.01), sum(flatten(grad(over_, wrt=(a, p))([sin(f64(i)) for i in 0:7], 0.01))), check_grad(fn(v) => over_((1 + v[0]) * ([sin(f64(i)) for i in 0:7]), (1 + v[1]) * (0.01)), zeros(f64, 2)) < 1e-6)
print("sieve", sieve([sin(f64(i)) for i in 0:7], 0.9), sum(flatten(grad(sieve, wrt=(a, p))([sin(f64(i)) for i in 0:7], 0.9))), check_grad(fn(v) => sieve((1 + v[0]) * ([sin(f64(i)) for i in 0:7]), (1 + v[1]) * (0.9)), zeros(f64, 2)) < 1e-6)
print("down_", down_([if i == j { 3.0 } else { 0.1 * sin(f64(i + 2 * j)) } for i in 0:7, j in 0:7], [cos(f64(i)) for i in 0:7]), sum(flatten(grad(down_, wrt=(U, b))([if i == j { 3.0 } else { 0.1 * sin(f64(i + 2 * j)) } for i in 0:7, j in 0:7], [cos(f64(i)) for i in 0:7]))), check_grad(fn(v) => down_((1 + v[0]) * ([if i == j { 3.0 } else { 0.1 * sin(f64(i + 2 * j)) } for i in 0:7, j in 0:7]), (1 + v[1]) * ([cos(f64(i)) for i in 0:7])), zeros(f64, 2)) < 1e-6)
print("cholin", cholin([if i == j { f64(7) } else { sin(f64(i + j)) } for i in 0:5, j in 0:5], 1), sum(flatten(grad(cholin, wrt=(A))([if i == j { f64(7) } else { sin(f64(i + j)) } for i in 0:5, j in 0:5], 1))), check_grad(fn(v) => cholin((1 + v[0]) * ([if i == j { f64(7) } else { sin(f64(i + j)) } for i in 0:5, j in 0:5]), 1), zeros(f64, 1)) < 1e-6)
let x0 = [0.946, 0.062, -0.210, 0.632]
let y0 = [-0.286, 0.687, -0.946, -0.089]
let a0 = [[-0.580, 0.354, -0.711], [0.918, 0.739, -0.051], [-0.709, 0.132, -0.163], [0.979, 0.840, -0.439]]
print("nested_", sum(grad(nested_, wrt=x)(x0, y0, a0, 0.3, 7)), check_grad(fn(v) => nested_(v[0:4], v[4:8], reshape(v[8:20], 4, 3), v[20], 7), flatten((x0, y0, a0, 0.3))) < 1e-6)
