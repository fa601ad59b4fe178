# Parallel loops over ranges that may end before they begin, of which several iterations run side by side: they do nothing
fn products(a: f64[m, n], x: f64[n], first: int) -> f64[m] {
    var y = [0.5 * i for i in 0:m]
    parallel for i in first:m {
        var s = y[i]
        for k in 0:n { s += a[i, k] * x[k] }
        y[i] = s
    }
    return y
}
fn eighth(a: f64[m, n], x: f64[n]) -> f64[m] {
    var y = [0.5 * i for i in 0:m]
    parallel for i in 8:m {
        var s = y[i]
        for k in 0:n { s += a[i, k] * x[k] }
        y[i] = s
    }
    return y
}
fn tables(a: f64[m, n], b: f64[n, m], first: int) -> f64[m, m] {
    var c = zeros(f64, m, m)
    parallel for i in first:m, j in 9:m {
        var s = 1.0
        for k in 0:n { s += a[i, k] * b[k, j] }
        c[i, j] = s
    }
    return c
}
fn roots(x: f64[n], first: int) -> f64[n] {
    var y = x
    parallel for i in first:n {
        var (a, k) = (1.0, 0)
        while abs(a * a - x[i]) > 1e-6 and k < 50 { a = 0.5 * (a + x[i] / a); k += 1 }
        y[i] = a
    }
    return y
}
for n in [1, 7, 8, 11, 40] {
    let a = [f64((i * 3 + j * 5) % 7) for i in 0:n, j in 0:n]
    let x = [f64(i % 4) for i in 0:n]
    print(n, sum(tables(a, a.T, 10)), sum(tables(a, a.T, 100)), eighth(a, x))
    for first in [0, 3, 9, 300] { print(products(a, x, first), roots(x, first)) }
}
