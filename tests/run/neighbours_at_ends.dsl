# Neighbours that stop at the ends, go around, or are chosen by data, read and added to, on one axis and two, with ends inside of the array
let n = 7
let m = 5
let u = [f64((i * 5 + j * 3) % 9) - 3 for i in 0:n, j in 0:m]
let v = [f64((i * 7) % 5) + i for i in 0:n]

fn four(u: f64[n, m]) -> f64[n, m] = [u[min(i + 1, n - 1), j] + u[max(i - 1, 0), j] + u[i, min(j + 1, m - 1)] + u[i, max(j - 1, 0)] for i in 0:n, j in 0:m]
fn corner(u: f64[n, m]) -> f64[n, m] = [u[max(i - 2, 0), min(j + 1, m - 1)] for i in 0:n, j in 0:m]
fn nine(u: f64[n, m]) -> f64[n, m] = [sum(u[clamp(i + a, 0, n - 1), clamp(j + b, 0, m - 1)] * (a + 2 * b + 4) for a in -1:2, b in -1:2) for i in 0:n, j in 0:m]
fn inside(v: f64[n]) -> f64[n] = [v[clamp(2 * i - 3, 1, n - 3)] - v[n - 1 - min(i, 4)] for i in 0:n]
fn shifted(v: f64[n]) -> f64[n] = [v[min(i, n - 2) + 1] + v[max(3 - i, 0) + 1] for i in 0:n]
fn by_if(u: f64[n, m]) -> f64[n, m] = [u[if i == 0 { n - 1 } else { i - 1 }, if j < m - 1 { j + 1 } else { 0 }] for i in 0:n, j in 0:m]
fn upwind(v: f64[n]) -> f64[n - 2] = [v[i + 1] - v[i + 1 + (if v[i] > 4 { -1 } else { 1 })] for i in 0:n - 2]
fn around(u: f64[n, m]) -> f64[n, m] = [u[(i + 2) % n, j] * u[i, (j - 1) % m] for i in 0:n, j in 0:m]
fn window(v: f64[n], w: f64[3]) -> f64[n] = [sum(v[(i + a - 1) % n] * w[a] for a in 0:3) for i in 0:n]
fn greatest(v: f64[n]) -> f64[n] = [max(v[clamp(i + a, 0, n - 1)] for a in -2:3) for i in 0:n]

kernel smooth(next: out f64[n, m], u: f64[n, m]) {
    let (i, j) = (block.y * 4 + thread.y, block.x * 4 + thread.x)
    if i < n and j < m {
        let (up, down) = (max(i - 1, 0), min(i + 1, n - 1))
        next[i, j] = 2 * u[i, j] + u[up, j] - u[down, if j == m - 1 { 0 } else { j + 1 }]
    }
}
fn smoothed(u: f64[n, m]) -> f64[n, m] {
    var next = u
    launch smooth[(ceildiv(m, 4), ceildiv(n, 4)), (4, 4)](next, u)
    return next
}
## Threads that add to the same elements at the ends
kernel spread(sums: inout f64[n], most: inout int[n], v: f64[n]) {
    let i = thread.x
    if i < n {
        atomic sums[min(i + 2, n - 1)] += v[i]
        atomic sums[(i + 3) % n] += 10 * v[i]
        atomic sums[if v[i] > 4 { 0 } else { i }] += 100.0
        atomic most[max(i - 3, 0)] max= int(v[i])
    }
}
fn spreads(v: f64[n]) -> (f64[n], int[n]) {
    var sums = zeros(f64, n)
    var most = zeros(int, n)
    launch spread[1, 16](sums, most, v)
    return (sums, most)
}
print(four(u))
print(corner(u))
print(nine(u))
print(inside(v), shifted(v), upwind(v))
print(by_if(u))
print(around(u))
print(window(v, [1.0, -2.0, 4.0]), greatest(v))
print(smoothed(u))
print(spreads(v))
print(grad(fn(u) => sum(four(u)^2))(u))
print(grad(fn(u) => sum(corner(u)^2))(u))
print(grad(fn(u) => sum(nine(u)^2))(u))
print(grad(fn(v) => sum(inside(v)^2 + shifted(v)^3))(v))
print(grad(fn(v) => sum(upwind(v)^2))(v))
print(grad(fn(u) => sum(by_if(u)^2 * u))(u))
print(grad(fn(u) => sum(around(u)^2))(u))
print(grad(fn(v, w) => sum(window(v, w)^2), wrt=(v, w))(v, [1.0, -2.0, 4.0]))
print(grad(fn(u) => sum(smoothed(u)^2))(u))
print(grad(fn(v) => sum(spreads(v).0^2))(v))
