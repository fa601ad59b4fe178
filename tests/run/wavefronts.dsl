# Rows that wait for their neighbours
fn seidel(a0: f64[n, m], turns: int) -> f64[n, m] {
    var a = a0
    for t in 0:turns {
        for i in 1:n - 1 {
            for j in 1:m - 1 {
                a[i, j] = (a[i - 1, j - 1] + a[i - 1, j] + a[i - 1, j + 1] + a[i, j - 1] + a[i, j] + a[i, j + 1]
                         + a[i + 1, j - 1] + a[i + 1, j] + a[i + 1, j + 1]) / 9
            }
        }
    }
    return a
}
## Far neighbours: two columns to the right one row up, and a mirrored plane beside it
fn far(a0: f64[n, m], b: f64[n, m]) -> f64[n, m] {
    var a = a0
    for i in 2:n {
        for j in 1:m - 3 {
            a[i, j] = sqrt(abs(a[i - 1, j + 2] - a[i, j - 1])) / 3 + a[i - 2, j + 3] * b[j % n, i % m]
        }
    }
    return a
}
## The distance between two series (dynamic time warping)
fn warp(x: f64[n], y: f64[m]) -> f64 {
    var d = full(1e9, n + 1, m + 1)
    d[0, 0] = 0
    for i in 1:n + 1 {
        for j in 1:m + 1 {
            d[i, j] = sqrt((x[i - 1] - y[j - 1])^2) / 2 + min(d[i - 1, j - 1], min(d[i - 1, j], d[i, j - 1]))
        }
    }
    return d[n, m]
}
## Columns outside
fn columns(a0: f64[n, m]) -> f64[n, m] {
    var a = a0
    for j in 1:m {
        for i in 1:n { a[i, j] = (a[i - 1, j] / 2 + a[i, j - 1]) / 2 }
    }
    return a
}
fn some(n: int, m: int) -> f64[n, m] = [f64((i * 7 + j * 3) % 11) - 4.75 for i in 0:n, j in 0:m]
print(seidel(some(21, 34), 2)[19], sum(seidel(some(11, 5), 3)), sum(seidel(some(3, 3), 1)), sum(seidel(some(2, 9), 1)))
print(far(some(19, 23), some(19, 23))[18], sum(far(some(3, 4), some(3, 4))))
print(warp(some(1, 29)[0], some(1, 33)[0]), warp(some(1, 1)[0], some(1, 9)[0]))
print(columns(some(18, 12))[17])

# two sums of which one runs along rows
fn both(a: f64[n, n], x: f64[n]) -> (f64[n], f64[n]) {
    var p = zeros(f64, n)
    var q = zeros(f64, n)
    parallel for i in 0:n {
        for j in 0:n { p[i] += a[i, j] * x[j] }
        for j in 0:n { q[i] += a[j, i] * x[j] }
    }
    return (p, q)
}
let (p, q) = both(some(70, 70), some(1, 70)[0])
print(p, q)

fn moments(t: f64[k, c]) -> (f64[c], f64[c]) {
    let mean = [sum(t[i, j] for i) / k for j]
    let deviation = [sqrt(sum((t[i, j] - mean[j])^2 for i) / k) for j]
    return (mean, where(deviation <= 1.0, 1.0, deviation))
}
print(moments(some(20, 70)).1)
