# Serial loops that could run in another order, or could not
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
fn product(c0: f64[n, m], a: f64[n, l], b: f64[l, m]) -> f64[n, m] {
    var c = c0
    parallel for i in 0:n {
        for j in 0:m { c[i, j] *= 0.5 }
        for k in 0:l {
            for j in 0:m { c[i, j] += a[i, k] * b[k, j] }
        }
    }
    return c
}
fn smooth(u0: f64[n], turns: int) -> f64[n] {
    var u = u0
    for t in 0:turns {
        for i in 1:n - 1 { u[i] = (u[i - 1] + u[i] + u[i + 1]) / 3 }
    }
    return u
}
## Each turn reads what another one writes
fn shift(u0: f64[n], k: int) -> f64[n] {
    var u = u0
    for i in 0:n - k { u[i] = u[i + k] + 1 }
    return u
}
## No turn, one turn, many; the element is also read elsewhere
fn fold_row(x0: f64[n], from: int, to: int) -> f64[n] {
    var x = x0
    for k in from:to { x[0] = x[0] * 0.5 + x[k] }
    return x
}
fn down(x0: f64[n]) -> f64[n] {
    var x = x0
    for k in n - 1:0:-1 { x[0] += x[k] * k }
    return x
}
fn counts(n: int) -> int[n] {
    var c = zeros(int, n)
    for t in 0:3 {
        for i in 0:n { c[i] += t * i }
    }
    return c
}
fn scatter_add(at: int[n], m: int) -> f64[m] {
    var y = zeros(f64, m)
    for i in 0:n { y[at[i]] += 0.1 * i }
    return y
}
fn triangle(x: f64[n, m]) -> f64[m, m] {
    var c = zeros(f64, m, m)
    parallel for i in 0:m {
        for j in i + 1:m {
            let s = sum(x[l, i] * x[l, j] for l in 0:n)
            c[i, j] = s
            c[j, i] = s
        }
    }
    return c
}
fn sums(a: f64[n, m], y: f64[m], z: f64[n]) -> (f64[n], f64[m]) {
    var p = zeros(f64, n)
    var q = ones(f64, m)
    parallel for i in 0:n {
        for j in 0:m { p[i] += a[i, j] * y[j] }
    }
    parallel for j in 0:m {
        for i in 0:n { q[j] += a[i, j] * z[i] }
    }
    return (p, q)
}

fn some(n: int, m: int) -> f64[n, m] = [f64((i * 7 + j * 3) % 11) - 4.75 for i in 0:n, j in 0:m]
let a = [f64(i * j % 23) / 23 + (if i == j { 23.0 } else { 0.0 }) for i in 0:23, j in 0:23]
print(lu(a)[22], sum(lu(a)))
print(product(some(9, 19), some(9, 5), some(5, 19))[8])
print(product(some(3, 2), some(3, 0), some(0, 2)))
let u = some(1, 40)[0]
print(smooth(u, 3)[30:], shift(u, 1)[30:], shift(u, 39))
print(fold_row(u, 3, 3)[0], fold_row(u, 0, 1)[0], fold_row(u, 0, 40)[0], fold_row(u, 1, 40)[0], down(u)[0])
print(counts(7), counts(0))
print(scatter_add([i * i % 5 for i in 0:50], 5))
print(triangle(some(30, 12))[3])
let (p, q) = sums(some(21, 90), some(1, 90)[0], some(1, 21)[0])
print(p, sum(q))
