# Each iteration writes all elements below its own
fn right(n: int) -> f64[n, n] {
    var a = zeros(f64, n, n)
    parallel for i in 0:n {
        for j in 0:i { a[i, j] = i + j }
    }
    return a
}
fn wrong(n: int) -> f64[n] {
    var a = zeros(f64, n)
    parallel for i in 0:n {
        for j in 0:i { a[j] = i }
    }
    return a
}
print(right(5))
print(wrong(5))
