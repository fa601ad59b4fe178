# Gradients of functions that call themselves with arrays: adjoints of these are added to what their callers have
fn minor(a: f64[n, n], row: int, used: int) -> f64 {
    if row == n { return 1.0 }
    var total = 0.0
    var sign = 1.0
    for j in 0:n {
        if (used >> j) & 1 == 0 {
            total += sign * a[row, j] * minor(a, row + 1, used | 1 << j)
            sign = -sign
        }
    }
    return total
}
let a = randn(1, 4, 4)
let slope = grad(fn(a: f64[n, n]) => minor(a, 0, 0))(a)
print(all(abs(slope - det(a) * inv(a).T) < 1e-12 * (1 + abs(slope))))
# Both arguments are one array; one is used before, and behind
fn pairs(x: f64[n], y: f64[n], k: int) -> f64 = if k == n { 1.0 } else { sin(x[k]) * pairs(y, x, k + 1) + y[k] * x[0] }
fn both(x: f64[n]) -> f64 = x[1] * pairs(x, x, 0) + pairs(x, x * x[0], 1) * sum(x)
let x = [0.3, 0.7, -0.4, 0.9, 0.25]
print(check_grad(both, x) < 1e-8)
# Several results, arrays among them; ints beside floats; one calls the other
fn halves(x: f64[n], k: int) -> (f64[n], f64) {
    if k == 0 { return (x * x, sum(x)) }
    let (y, s) = wholes(x * 0.5, k - 1)
    return (y * x[0], s * sum(y))
}
fn wholes(x: f64[n], k: int) -> (f64[n], f64) {
    if k == 0 { return (sin(x), x[2]) }
    let (y, s) = halves(x + 1, k - 1)
    return (y + x, s + 2 * y[1])
}
fn several(x: f64[n]) -> f64 {
    let (y, s) = halves(x, 4)
    return s * sum(y * x)
}
print(check_grad(several, x) < 1e-8)
# Of a scalar and an array, in branches and loops, again
fn mixed(x: f64[n], c: f64, k: int) -> f64 {
    var s = c
    for i in 0:k {
        if x[i] > 0 { s += mixed(x, s * x[k], i) * c } else { s -= x[i] * s }
    }
    return s
}
fn of_mixed(x: f64[n]) -> f64 = mixed(x, x[3], 4)
print(check_grad(of_mixed, x) < 1e-8)
let d = [1.0, -2.0, 0.5, 0.25, 3.0]
let twice = jvp(fn(y) => grad(of_mixed)(y))(x, d).1
let back = grad(fn(y) => sum(grad(of_mixed)(y) * d))(x)
print(max(abs(twice - back)) < 1e-9 * max(abs(back)), max(abs(back)) > 0.1)
print(check_grad(fn(y) => sum(grad(of_mixed)(y) * d), x) < 1e-7, check_grad(fn(y) => sum(grad(both)(y) * d), x) < 1e-7)
# Nothing is lost where the depth of calls is known only when running
fn tree(x: f64[n], lo: int, hi: int) -> f64 {
    if hi - lo == 1 { return sin(x[lo]) }
    let mid = (lo + hi) // 2
    return tree(x, lo, mid) * 0.5 + tree(x, mid, hi) * tree(x, lo, mid)
}
print(check_grad(fn(y) => tree(y, 0, len(y)), x) < 1e-8)
