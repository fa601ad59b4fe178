# Arrays of a thread: those of sizes that are not known, and what no thread does
fn tail(x: f64[n], k: int) -> f64[n - k] = x[k:]
fn halved(x: f64[3], k: int) -> f64[3] = if k == 0 { x } else { halved(x / 2, k - 1) }
kernel k(y: inout f64[n, m], a: f64[3, 3], q: f64[n, 3], count: int) {
    let i = thread.x
    let u: f64[3] = tail(q[i], 0) + cumsum(q[i])
    y[i, 0] = norm(tail(q[i], count)) + sum(halved(q[i], 2)) + det(y) + sum(cholesky(a))
    y[i, 0] += norm(y[i] + 1) + sum([y[i, j] for j in 0:m]) + u[0]
}
fn f(n: int, m: int, count: int) -> f64[n, m] {
    var y = zeros(f64, n, m)
    launch k[1, n](y, zeros(f64, 3, 3), zeros(f64, n, 3), count)
    return y
}
print(f(2, 2, 1))
