# Triangular nests that may go column by column, and some that may not: the bits are those of the rows in order.

fn cholesky(a: f64[m, m]) -> f64[m, m] {
    var l = zeros(f64, m, m)
    for i in 0:m {
        for j in 0:i {
            var s = a[i, j]
            for k in 0:j { s -= l[i, k] * l[j, k] }
            l[i, j] = s / l[j, j]
        }
        var d = a[i, i]
        for k in 0:i { d -= l[i, k] * l[i, k] }
        l[i, i] = sqrt(d)
    }
    return l
}

fn lu(a0: f64[m, m]) -> f64[m, m] {
    var a = a0
    for i in 0:m {
        for j in 0:i {
            for k in 0:j { a[i, j] -= a[i, k] * a[k, j] }
            a[i, j] /= a[j, j]
        }
        for j in i:m {
            for k in 0:i { a[i, j] -= a[i, k] * a[k, j] }
        }
    }
    return a
}

## An element needs one of a later column in the row above: not by columns
fn leaning(a0: f64[m, m]) -> f64[m, m] {
    var a = a0
    for i in 0:m {
        for j in 0:i {
            var s = a[i, j]
            for k in 0:j { s -= 0.01 * a[i, k] * a[j, k] }
            a[i, j] = s + a[max(i - 1, 0), min(j + 1, m - 1)]
        }
    }
    return a
}

## What follows the row needs a whole row above: not by columns
fn summed(a0: f64[m, m]) -> f64[m, m] {
    var a = a0
    for i in 0:m {
        for j in 0:i {
            var s = a[i, j]
            for k in 0:j { s -= 0.01 * a[i, k] * a[j, k] }
            a[i, j] = s
        }
        var d = 0.0
        for k in 0:m { d += a[m - 1, k] }
        a[i, i] = a[i, i] + d
    }
    return a
}

## Rows of sums of their own, with a start that depends on the row
fn products(a: f64[m, n], x: f64[n], y0: f64[m]) -> f64[m] {
    var y = y0
    parallel for i in 0:m {
        var s = y[i]
        for k in 0:n { s += a[i, k] * x[k] }
        y[i] = s
    }
    return y
}

fn weighed(x: f64[n, m]) -> f64 = sum(x[i, j] * f64(1 + (i + 2 * j) % 13) for i in 0:n, j in 0:m)

fn matrix(n: int) -> f64[n, n] = [f64(i * j % n) / n + (if i == j { f64(n) } else { 0.0 }) for i in 0:n, j in 0:n]
for k in 0:4 {
    let n = [1, 7, 40, 131][k]
    let a = matrix(n)
    print(n, weighed(cholesky(a)), weighed(lu(a)), weighed(leaning(a)), weighed(summed(a)))
    print(products(a, [f64(i) for i in 0:n], [0.5 * i for i in 0:n]))
}
