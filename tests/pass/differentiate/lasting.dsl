# Of arrays that still have, at the end of the loop, all that was read, nothing is kept: factorisations by hand, tables in triangles,
# loops down, several arrays, branches, versions.
# RUN: dslc check --memory %s 2>&1 | FileCheck %s
# CHECK-COUNT-6: nothing is kept of loops
fn factor(A: f64[n, n]) -> f64 {
    var L = zeros(f64, n, n)
    for j in 0:n {
        L[j, j] = sqrt(A[j, j] - sum(L[j, m]^2 for m in 0:j))
        for i in j + 1:n { L[i, j] = (A[i, j] - sum(L[i, m] * L[j, m] for m in 0:j)) / L[j, j] }
    }
    return L[n - 1, n - 1]
}
fn chains(w: f64[n, n]) -> f64 {
    var q = zeros(f64, n + 1, n + 1)
    for i in 0:n + 1 { q[i, i] = 1.0 }
    for d in 1:n + 1 {
        for i in 0:n - d + 1 { q[i, i + d] = q[i, i + d - 1] + sum(q[i, m] * q[m, i + d - 1] * w[m, i + d - 1] for m in i:i + d) }
    }
    return log(q[0, n])
}
fn back(U: f64[n, n], b: f64[n]) -> f64 {
    var x = zeros(f64, n)
    for i in n - 1:-1:-1 { x[i] = (b[i] - sum(U[i, j] * x[j] for j in i + 1:n)) / U[i, i] }
    return sum(x^2)
}
fn two(a: f64[n], p: f64) -> f64 {
    var x = a
    var y = zeros(f64, n)
    for i in 1:n {
        if i % 3 == 0 { y[i] = p * x[i - 1] * y[i - 1] } else { y[i] = sin(a[i]) }
        if i + 1 < n { x[i] = a[i] * y[i] }
    }
    return sum(x * y)
}
fn steps(a: f64[n], p: f64) -> f64 {
    var x = a
    for i in 2:n:2 { x[i] = p * x[i - 1] * sin(x[i - 2]) }
    return sum(x)
}
fn rows(a: f64[n], k: f64[m]) -> f64 {
    var u = zeros(f64, m, n)
    u[0] = a
    for t in 1:m { u[t] = [sum(k[s] * sin(u[s, i]) for s in 0:t) for i in 0:n] }
    return sum(u^2)
}
export fn g1(A: f64[n, n]) -> f64[n, n] = grad(factor)(A)
export fn g2(w: f64[n, n]) -> f64[n, n] = grad(chains)(w)
export fn g3(U: f64[n, n], b: f64[n]) -> f64[n] = grad(back, wrt=b)(U, b)
export fn g4(a: f64[n], p: f64) -> f64[n] = grad(two, wrt=a)(a, p)
export fn g5(a: f64[n], p: f64) -> f64[n] = grad(steps, wrt=a)(a, p)
export fn g6(a: f64[n], k: f64[m]) -> f64[n] = grad(rows, wrt=a)(a, k)
# What is read is overwritten later, in this turn or another, or was read of the array as it was.
# RUN: dslc check --memory %s 2>&1 | FileCheck %s --check-prefix=KEPT
# KEPT-COUNT-3: kept of
fn in_place(a: f64[n], p: f64) -> f64 {
    var x = a
    for i in 1:n { x[i] += p * sin(x[i]) * x[i - 1] }
    return sum(x)
}
fn later(a: f64[n], p: f64) -> f64 {
    var x = a
    for i in 1:n - 1 { x[i] = p * sin(x[i + 1]) * x[i - 1] }
    return sum(x)
}
fn old(a: f64[n], p: f64) -> f64 {
    var x = a
    for i in 1:n {
        let before = x
        x[i] = p * sin(x[i - 1])
        x[0] = x[i] * before[i]
    }
    return sum(x)
}
export fn g7(a: f64[n], p: f64) -> f64[n] = grad(in_place, wrt=a)(a, p)
export fn g8(a: f64[n], p: f64) -> f64[n] = grad(later, wrt=a)(a, p)
export fn g9(a: f64[n], p: f64) -> f64[n] = grad(old, wrt=a)(a, p)
