# Loops whose neighbours share rows of what they read are done in tiles; what fills no tile is done apart.
fn product(a: T[n, k], b: T[k, m]) -> T[n, m] {
    var c = zeros(T, n, m)
    parallel for i in 0:n, j in 0:m {
        var s = T(0)
        for l in 0:k { s += a[i, l] * b[l, j] }
        c[i, j] = s
    }
    return c
}
fn sum_and_most(a: f64[n, k], b: f64[k, m]) -> (f64[n, m], f64[n, m]) {
    var c = zeros(f64, n, m)
    var d = zeros(f64, n, m)
    parallel for i in 0:n, j in 0:m {
        var s = 0.0
        var most = -1e9
        for l in 0:k {
            s += a[i, l] - b[l, j]
            most = max(most, a[i, l] * b[l, j])
        }
        c[i, j] += s
        d[i, j] = most
    }
    return (c, d)
}
fn batches(a: f64[r, q, k], b: f64[k, m]) -> f64[r, q, m] {
    var c = zeros(f64, r, q, m)
    parallel for u in 0:r, i in 0:q, j in 0:m {
        var s = 0.0
        for l in 0:k { s += a[u, i, l] * b[l, j] }
        c[u, i, j] = s
    }
    return c
}
fn columns(a: f64[n, m]) -> f64[m] {
    var s = zeros(f64, m)
    parallel for j in 0:m {
        var t = 0.0
        for i in 0:n { t += a[i, j] / f64(i + 1) }
        s[j] = t
    }
    return s
}
fn rising(a: f64[n, k], b: f64[k, m]) -> f64[n, m] {
    var c = zeros(f64, n, m)
    parallel for i in 0:n, j in 0:m {
        var s = 0.0
        for l in 0:min(i + 1, k) { s += a[i, l] * b[l, j] }
        c[i, j] = s
    }
    return c
}
kernel tiled(a: f64[n, k], b: f64[k, m], c: out f64[n, m]) {
    shared p: f64[16, 16]
    shared q: f64[16, 16]
    let i = block.y * 16 + thread.y
    let j = block.x * 16 + thread.x
    var s = 0.0
    for t in 0:(k + 15) // 16 {
        p[thread.y, thread.x] = if i < n and t * 16 + thread.x < k { a[i, t * 16 + thread.x] } else { 0.0 }
        q[thread.y, thread.x] = if t * 16 + thread.y < k and j < m { b[t * 16 + thread.y, j] } else { 0.0 }
        barrier
        for l in 0:16 { s += p[thread.y, l] * q[l, thread.x] }
        barrier
    }
    if i < n and j < m { c[i, j] = s }
}
fn check(n: int, k: int, m: int) {
    let a = [sin(f64(i * k + j)) for i in 0:n, j in 0:k]
    let b = [cos(f64(i * m - j)) for i in 0:k, j in 0:m]
    let plain = product(a, b)
    let (c, d) = sum_and_most(a, b)
    var t = zeros(f64, n, m)
    launch tiled[((m + 15) // 16, (n + 15) // 16), (16, 16)](a, b, t)
    let low = product([f32(i * 3 % 7) for i in 0:n, l in 0:k], [f32((l + j) % 5) for l in 0:k, j in 0:m])
    print(n, k, m, sum(plain), sum(c), sum(d), sum(columns(b)), sum(rising(a, b)), sum(f64(low)))
    print(max(abs(t - plain)) < 1e-12, sum(batches([a[i, l] + f64(u) for u in 0:3, i in 0:n, l in 0:k], b)))
}
check(1, 1, 1)
check(3, 5, 15)
check(4, 2, 16)
check(7, 3, 33)
check(10, 9, 64)
check(17, 20, 95)
check(6, 4, 130)
