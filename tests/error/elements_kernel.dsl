kernel k(y: inout f64[n], a: f64[m, p]) {
    let i = thread.x
    if i < n {
        for v in y { y[i] += v }
        for v in y + 1 { y[i] += v }
        for row in a { y[i] += norm(row) }
        for v in reverse(a[0]) { y[i] += v }
        y[i] += sum(norm(row) for row in a)
    }
}
fn f(n: int) -> f64[n] {
    var y = zeros(f64, n)
    launch k[1, 3](y, zeros(f64, n, n))
    return y
}
print(f(3))
