# Ranges that begin behind the end of a short array are empty, far behind it, too, whatever is combined of them
fn far(x: f64[n]) -> (f64, f64, int, bool) =
    (sum(sqrt(x[i]) for i in 3000:n), max(x[i] * x[i - 2500] for i in 2500:n), sum(1 for i in 3500:n if x[i] > 0.5), any(x[i] > 0 for i in 2000:n))
fn of_two(a: f64[n, m], b: f64[n]) -> (f64, f64, f64) =
    (max(max(a[i, j] + b[i] for j in 0:m) for i in 8:n), sum(a[i, j] * b[i] for i in 8:n, j in 8:m), prod(sum(a[i, j] for j in 1100:m) for i in 0:n))
fn inner(x: f64[n]) -> f64 = sum(sum(x[i] * x[i - j] for j in 2000:2500) for i in 3000:n)
fn by_loops(x: f64[n]) -> (f64, int, int) {
    var (greatest, at, count) = (-1.0, -1, 0)
    for i in 2500:n { if x[i] > greatest { greatest = x[i]; at = i } }
    for i in 2500:n { for j in i - 20:i { if x[i] < x[j] { count += 1 } } }
    return (greatest, at, count)
}
for n in [0, 1, 17, 3200] {
    let x = [f64(i * 7919 % 1009) / 1024 for i in 0:n]
    print(n, far(x), inner(x), by_loops(x), sum(grad(inner)(x)))
    for m in [0, 1, 9, 1200] {
        if n < 100 { print(m, of_two([[f64(i * 7 % 5 + j * 3 % 7) for j in 0:m] for i in 0:n], x)) }
    }
}
