# What islands in loops read of arrays that they change later is written down by their threads, or read where the array still has
# it at its end; axes are those of loops and threads, as long as the least of their bounds.  What threads read of the whole array
# more than once is more than the array, which is kept then.
# RUN: dslc check --memory %s 2>&1 | FileCheck %s
# RUN: dslc --emit=grad %s -o - | FileCheck %s --check-prefix=GRAD
# CHECK: kept of 'a', a row for each turn: 8*n*max(n - 1, 0) bytes
# CHECK-NEXT: kept in all: 8*n*max(n - 1, 0) bytes
# CHECK-COUNT-2: nothing is kept of loops
# CHECK-NEXT: kept of 'u', a row for each turn: 32*max(2*n - 5, 0)*max(min(2*n - 5, n - 2), 0) bytes
# CHECK-NEXT: kept of 'u', a row for each turn: 32*max(2*n - 5, 0)*max(min(2*n - 5, n - 2), 0) bytes
# CHECK-NEXT: kept in all: 64*max(2*n - 5, 0)*max(min(2*n - 5, n - 2), 0) bytes
# CHECK-NEXT: nothing is kept of loops
# CHECK-NEXT: kept of 'a0', a row for each turn: 8*n*n bytes
# CHECK-COUNT-4: an element for each thread and turn
# CHECK-NEXT: kept in all
# CHECK-NEXT: kept of 'a', a row for each turn: 40*n*n bytes
# CHECK-NEXT: kept of 'a', a row for each turn: 16*n*n bytes
# CHECK-NEXT: kept in all: 56*n*n bytes
# CHECK-NEXT: kept of 'f0', a row for each turn: 360*n*n bytes
# CHECK-NEXT: kept in all: 360*n*n bytes
# CHECK-COUNT-2: kept of {{.*}}, a row for each turn: 8*n*n bytes
# CHECK-NEXT: kept in all: 16*n*n bytes
# GRAD: empty : f64[n, max(n - 1, 0)]
# GRAD: island({{.*}}) {modes = [2, 2]} : f64[n, n], f64[n, max(n - 1, 0)] {
# GRAD: island({{.*}}) {modes = [2, 0, 0]} : f64[n, n] {
kernel fan(a: inout f64[n, n], b: inout f64[n], k: int) {
    let i = block.x * blockdim.x + thread.x
    let j = block.y * blockdim.y + thread.y
    if i < n - 1 - k and j < n - k - 1 {
        let f = a[i + k + 1, k] / a[k, k]
        a[i + k + 1, j + k + 1] -= f * a[k, j + k + 1]
        if j == 0 { b[i + k + 1] -= f * b[k] }
    }
}
fn rows(a0: f64[n, n]) -> f64 {
    var a = a0
    for k in 0:n {
        parallel for i in k + 1:n {
            let f = a[i, k] / a[k, k]
            for j in k:n { a[i, j] -= f * a[k, j] }
        }
    }
    return sum(a^2)
}
fn launched(a0: f64[n, n]) -> f64 {
    var a = a0
    var b = ones(f64, n)
    for k in 0:n - 1 { launch fan[(ceildiv(n, 8), ceildiv(n, 8)), (8, 8)](a, b, k) }
    return sum(b^2)
}
fn antidiagonals(s: f64[n, n]) -> f64 {
    var t = ones(f64, n, n)
    for d in 2:2 * n - 1 {
        parallel for i in max(1, d - n + 1):min(d, n) {
            let j = d - i
            t[i, j] = sin(t[i - 1, j - 1]) * s[i, j] + t[i - 1, j] * t[i, j - 1]
        }
    }
    return t[n - 1, n - 1]
}
fn sweeps(a: f64[n, n]) -> f64 {
    var u = a
    for t in 0:4 {
        for d in 2:2 * n - 3 {
            parallel for i in max(1, d - n + 2):min(d, n - 1) {
                u[i, d - i] = 0.25 * (u[i - 1, d - i] * u[i + 1, d - i] + u[i, d - i - 1] + u[i, d - i + 1])
            }
        }
    }
    return sum(u^2)
}
fn dots(a0: f64[n, n]) -> f64 {
    var a = a0
    for k in 0:n {
        a[k, k] = sqrt(a[k, k] - sum(a[k, p]^2 for p in 0:k))
        parallel for i in k + 1:n { a[i, k] = (a[i, k] - sum(a[i, p] * a[k, p] for p in 0:k)) / a[k, k] }
    }
    return sum(a^2)
}
fn carried(a0: f64[n, n]) -> f64 { # numbers that loops of threads carry, and branches
    var a = a0
    for k in 0:n {
        parallel for i in 0:k {
            var s = 1.0
            for j in 0:k { s = sin(s + a[i, k]) }
            a[i, k] = if s > 0 { s * a[k, k] } else { a[i, k] }
        }
    }
    return sum(a^2)
}
fn red_black(a: f64[n, n]) -> f64 { # the whole array, four times: itself is less
    var u = a
    for t in 0:5 {
        for c in 0:2 {
            parallel for i in 1:n - 1, j in 1:n - 1 {
                if (i + j + c) % 2 == 0 { u[i, j] = 0.25 * sin(u[i - 1, j] * u[i + 1, j] + u[i, j - 1] * u[i, j + 1]) }
            }
        }
    }
    return sum(u^2)
}
fn trailing(a0: f64[n, n]) -> f64 { # each thread an element: as gathered as this could be, it is the row and the column that are kept
    var a = a0
    for k in 0:n {
        parallel for i in k + 1:n { a[i, k] /= a[k, k] }
        parallel for i in k + 1:n, j in k + 1:n { a[i, j] -= a[i, k] * a[k, j] }
    }
    return sum([log(abs(a[i, i])) for i in 0:n])
}
fn flow(f0: f64[9, n, n]) -> f64 { # two arrays that change places: the one before is kept, as a whole
    var f = f0
    for t in 0:5 {
        var next = f
        parallel for i in 1:n - 1, j in 1:n - 1 { for q in 0:9 { next[q, i, j] = sin(f[q, i - 1, j]) * f[(q + 1) % 9, i, j - 1] } }
        f = next
    }
    return sum(f)
}
for n in [5, 6] {
    let x = randn(1, n, n) + [f64(i == j) * 9.0 for i in 0:n, j in 0:n]
    print(grad(rows)(x), grad(launched)(x), grad(antidiagonals)(x), grad(sweeps)(x), grad(dots)(x), grad(carried)(x))
    print(grad(red_black)(x))
    print(grad(flow)(randn(1, 9, n, n)))
    print(grad(trailing)(x))
}
