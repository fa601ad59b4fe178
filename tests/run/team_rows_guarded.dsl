# Rows that only a guard inside of the loop keeps in their array: no team brings another one into shared memory
fn f(x: f64[m, 64], n: int) -> f64[n, 64] {
    var y = zeros(f64, n, 64)
    parallel for i in 0:n {
        let a = max(if i < m { x[i, j] } else { 0.0 } for j in 0:64)
        let s = sum(if i < m { exp(x[i, j] - a) } else { 1.0 } for j in 0:64)
        for j in 0:64 { y[i, j] = (if i < m { x[i, j] } else { 0.5 }) / s }
    }
    return y
}
let x = [sin(f64(i * j)) for i in 0:3, j in 0:64]
let y = f(x, 100000)
print(sum(y), y[2, 5], y[99999, 3])
fn g(x: f64[m, 64], k: int, n: int) -> f64[n, 64] {
    var y = zeros(f64, n, 64)
    parallel for i in 0:n {
        let a = max(if k < m { x[k, j] } else { 0.0 } for j in 0:64)
        let s = sum(if k < m { exp(x[k, j] - a + i) } else { 1.0 } for j in 0:64)
        for j in 0:64 { y[i, j] = (if k < m { x[k, j] } else { 0.5 }) / s }
    }
    return y
}
let z = g(x, 100000000, 1000)
print(sum(z), z[2, 5], z[999, 3])
fn h(x0: f64[m, 64], n: int) -> f64[m, 64] {
    var x = x0
    parallel for i in 0:n {
        if i < m { for j in 0:64 { x[i, j] = x[i, j] * 2 } }
        let s = sum(if i < m { x[i, j] } else { 1.0 } for j in 0:64)
        for j in 0:64 { if i < m { x[i, j] = x[i, j] - s } }
    }
    return x
}
let w = h(x, 100000)
print(sum(w), w[2, 5])
