# Both halves of a symmetric matrix are written by both
fn right(x: f64[n]) -> f64[n, n] {
    var a = zeros(f64, n, n)
    parallel for i in 0:n, j in 0:n {
        if i <= j {
            a[i, j] = x[i] * x[j]
            a[j, i] = x[i] * x[j]
        }
    }
    return a
}
fn wrong(x: f64[n]) -> f64[n, n] {
    var a = zeros(f64, n, n)
    parallel for i in 0:n, j in 0:n {
        a[i, j] = x[i] * x[j]
        a[j, i] = x[i] * x[j]
    }
    return a
}
let x = [f64(k) for k in 0:5]
print(right(x))
print(wrong(x))
