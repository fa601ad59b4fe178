# A loop computes rows, or columns, of those beside them, in place; so do the derivatives, forward and backward
fn f1(x: f64[n, m]) -> f64[n, m] {
    var y = x
    for i in 1:n { y[i] = y[i - 1] + x[i] }
    return y
}
fn f2(x: f64[n, m]) -> f64[n, m] {
    var y = x
    for i in 0:n - 1 { y[n - 2 - i] += 2 * y[n - 1 - i] }
    return y
}
fn f3(x: f64[n, m]) -> f64[n, m] {
    var y = x
    for j in 2:m { y[:, j] = y[:, j - 2] * y[:, j - 1] - x[:, j] }
    return y
}
fn f4(x: f64[n, m]) -> f64[n, m] {
    var y = x
    for i in 1:n { y[i] = y[i - 1][::-1] + y[i] }
    return y
}
fn f5(x: f64[n, m]) -> f64[n, m] {
    var y = x
    y[2] = y[0] + y[1]
    y[3:5] = y[2:4] * 2
    let row = y[4]
    y[4] = y[3]
    y[3] = row
    return y
}
let x = rand(3, 6, 7)
print(f1(x)[5], f2(x)[0], f3(x)[2], f4(x)[5], f5(x))
let w = rand(4, 6, 7)
for k in 0:5 {
    let g = if k == 0 { grad(fn(x) => sum(w * f1(x)))(x) } else if k == 1 { grad(fn(x) => sum(w * f2(x)))(x) } else if k == 2 { grad(fn(x) => sum(w * f3(x)))(x) } else if k == 3 { grad(fn(x) => sum(w * f4(x)))(x) } else { grad(fn(x) => sum(w * f5(x)))(x) }
    print(g)
}
