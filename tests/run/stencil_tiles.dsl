# Neighbours in one, two and three axes, with guards, borders, several arrays and types
arg n: int = 70
arg m: int = 53
fn mark(x: f64[n]) -> f64 = sum([x[i] * f64((i * 5) % 11 - 4) for i in 0:n])
fn blur(x: f64[n, m], w: f64[5, 5]) -> f64[n, m] =
    [if i >= 2 and j >= 2 and i < n - 2 and j < m - 2 { sum([w[a, b] * x[i + a - 2, j + b - 2] for a in 0:5, b in 0:5]) } else { x[i, j] } for i in 0:n, j in 0:m]
fn box(x: f32[n, m], k: int) -> f32[n - 4, m - 4] {
    var y = zeros(f32, n - 4, m - 4)
    parallel for i in 0:n-4, j in 0:m-4 {
        var s = f32(0)
        for a in 0:5 { for b in 0:5 { s += x[i + a, j + b] * f32(k + a - b) } }
        y[i, j] = s
    }
    return y
}
fn cube(x: f64[n, m, q]) -> f64[n, m, q] {
    var y = x
    parallel for i in 1:n-1, j in 1:m-1, k in 1:q-1 {
        var s = 0.0
        for a in 0:3 { for b in 0:3 { for c in 0:3 { s += x[i + a - 1, j + b - 1, k + c - 1] / f64(1 + a + 2*b + 3*c) } } }
        y[i, j, k] = s
    }
    return y
}
fn line(x: int[n]) -> int[n] {
    var y = zeros(int, n)
    parallel for i in 8:n-8 { for a in 0:17 { y[i] += x[i + a - 8] * (a + 1) } }
    return y
}
fn rows(x: f32[n, m]) -> f32[n, m - 12] = [sum([x[i, j + a] * f32(a) for a in 0:13]) for i in 0:n, j in 0:m-12]
fn columns(x: f64[n, m]) -> f64[n - 15, m] = [sum([x[i + a, j] * f64(a) for a in 0:16]) for i in 0:n-15, j in 0:m]
fn pair(x: f64[n, m], y: i32[n, m]) -> f64[n, m] {
    var z = zeros(f64, n, m)
    parallel for i in 0:n, j in 0:m {
        if i > 0 and i < n - 1 and j > 0 and j < m - 1 {
            for a in 0:3 { for b in 0:3 { z[i, j] += x[i - 1 + a, j - 1 + b] * f64(y[i + 1 - a, j + 1 - b]) } }
            z[i, j] += x[i - 1, j] + x[i, j - 1] + x[i + 1, j] + x[i, j + 1] + f64(y[i, j - 1] + y[i - 1, j] + y[i + 1, j])
        }
    }
    return z
}
fn planes(x: f64[4, n]) -> f64[n - 3] =
    [sum([x[c, i + a] * f64(a + c) for c in 0:4, a in 0:4]) for i in 0:n-3]
let x = [sin(f64(i * 31 + j * 7)) for i in 0:n, j in 0:m]
let w = [f64(a * 5 + b) / 10.0 for a in 0:5, b in 0:5]
print(mark(reshape(blur(x, w), n * m)), mark(f64(reshape(box(f32(x), 3), (n - 4) * (m - 4)))))
let c = [cos(f64(i * 3 + j * 5 + k)) for i in 0:13, j in 0:19, k in 0:37]
print(mark(reshape(cube(c), 13 * 19 * 37)), sum(line([(i * 37) % 101 for i in 0:1000])), sum(line([1, 2, 3])))
print(mark(f64(reshape(rows(f32(x)), n * (m - 12)))), mark(reshape(columns(x), (n - 15) * m)))
print(mark(reshape(pair(x, [i32((i * j) % 9) for i in 0:n, j in 0:m]), n * m)), mark(planes([f64((a + i) % 7) for a in 0:4, i in 0:900])))
fn again(x: f64[n, m], w: f64[5, 5]) -> f64 = sum(blur(x, w)^2)
print(mark(reshape(grad(again, wrt=x)(x, w), n * m)))
