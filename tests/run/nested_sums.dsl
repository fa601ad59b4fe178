# Reductions of reductions, which are one over both indices: the same bits whatever the sizes, one thread or several
fn f(a: f64[n, m], b: f64[n]) -> (f64, f64, f64, f64) =
    (sum(sum(a[i, j] * b[i] for j in 0:m) for i in 0:n), max(max(a[i, j] + b[i] for j in 0:m) for i in 0:n),
        prod(prod(1 + a[i, j] / 10000 for j in 0:m) for i in 0:n), sum(sum(a[i, j] for i in 0:n) for j in 0:m))
for n in [0, 1, 17, 1025] {
    for m in [0, 1, 16, 17, 1100] { print(n, m, f(rand(n + m, n, m), rand(5, n))) }
}
