# What stands in a branch that is not taken gives no NaN: optimization before derivatives leaves floats where they are.
fn f(x: f64) -> f64 {
    var y = 0.0
    if x > 0.0 { y = 1.0 / x + sqrt(x) + log(x) + x^0.5 }
    return y * 2.0
}
fn g(x: f64[n]) -> f64 = sum(if x[i] > 0.0 { 1.0 / x[i] + sqrt(x[i]) } else { 0.0 } for i)
fn h(x: f64[n]) -> f64 {
    var y = zeros(f64, n)
    parallel for i in 0:n { if x[i] > 0.0 { y[i] = x[i] / x[i] + log(x[i]) } }
    return sum(y)
}
fn k(x: f64[n], c: f64) -> f64 {
    var s = 0.0
    for i in 0:n { if c > 0.0 { s += x[i] * (1.0 / c) } }
    return s
}

fn rows(x: f64[n, m], c: f64) -> f64 {
    var y = zeros(f64, n, m)
    parallel for i in 0:n, j in 0:m {
        if c > 0.0 { y[i, j] = x[i, j] / c + log(c) + c^0.5 }
    }
    return sum(y)
}
fn nested(x: f64[n], c: f64) -> f64 {
    var s = 0.0
    for i in 0:n {
        if x[i] > 0.0 {
            for k in 0:3 {
                if c > 0.0 { s += x[i] / c * f64(k) + sqrt(c) }
            }
        }
    }
    return s
}
print(grad(f)(0.0), grad(g)([0.0, 4.0]), grad(h)([0.0, 2.0]), grad(k, wrt=c)([1.0, 2.0], 0.0))
print(grad(rows, wrt=c)([[1.0, 2.0]], 0.0), grad(nested, wrt=c)([1.0, 2.0], 0.0), grad(nested, wrt=c)([1.0, 2.0], 4.0))
