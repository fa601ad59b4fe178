# A tridiagonal system for every row, and for every column
fn rows(d: f64[n, m]) -> f64[n, m] {
    var x = d
    var c = zeros(f64, n, m)
    parallel for i in 0:n {
        c[i, 0] = 1.0 / 4
        x[i, 0] /= 4
        for j in 1:m {
            c[i, j] = 1 / (4 - c[i, j - 1])
            x[i, j] = (x[i, j] - x[i, j - 1]) / (4 - c[i, j - 1])
        }
        for j in m - 2:-1:-1 { x[i, j] -= c[i, j] * x[i, j + 1] }
    }
    return x
}
fn columns(d: f64[n, m]) -> f64[n, m] {
    var x = d
    parallel for j in 0:m {
        var c = 0.25
        x[0, j] /= 4
        for i in 1:n {
            let w = 4 - c
            c = 1 / w
            x[i, j] = (x[i, j] - x[i - 1, j]) / w
        }
    }
    return x
}
fn some(n: int, m: int) -> f64[n, m] = [f64((i * 7 + j * 3) % 11) - 4.75 for i in 0:n, j in 0:m]
print(rows(some(37, 6))[36], sum(rows(some(8, 40))), sum(rows(some(3, 5))))
print(columns(some(6, 37))[5], sum(columns(some(40, 17))))
print(sum(abs(rows(some(21, 30)) - [rows(reshape(some(21, 30)[i], 1, 30))[0, j] for i in 0:21, j in 0:30])))
