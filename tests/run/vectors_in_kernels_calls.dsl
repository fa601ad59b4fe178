# What small arrays go through in kernels: functions of the library, functions as arguments, structs, loops over rows and elements
struct Sim { p: f64[n, 3], m: f64[n] }
struct P { x: f64, y: f64, z: f64 }
fn vec(p: P) -> f64[3] = [p.x, p.y, p.z]
fn far(s: Sim, i: int, j: int) -> f64[3] = (s.p[j] - s.p[i]) * s.m[j]
fn twice(f: fn(f64) -> f64, x: f64[n]) -> f64[n] = [f(f(v)) for v in x]
fn rk(f: fn(f64[n]) -> f64[n], y: f64[n], h: f64) -> f64[n] {
    let a = f(y)
    let b = f(y + h / 2 * a)
    let c = f(y + h / 2 * b)
    let d = f(y + h * c)
    return y + h / 6 * (a + 2 * b + 2 * c + d)
}
fn lorenz(s: f64[3]) -> f64[3] = [10.0 * (s[1] - s[0]), s[0] * (28.0 - s[2]) - s[1], s[0] * s[1] - 8.0 / 3.0 * s[2]]
fn run(s0: f64[3]) -> f64[3] {
    var s = s0
    for t in 0:20 { s = rk(lorenz, s, 0.01) }
    return s
}
fn one(y0: f64[3], s: Sim, q: P[n], a: f64[3, 3], i: int) -> (f64[3], f64) {
    var y = y0
    let v = far(s, i, (i + 1) % n)
    let w = vec(q[i])
    let (vx, vy, vz) = v
    let t = map(sqrt, abs(v)) + twice(fn(u) => u * vx, w) + where(v > 0, v, w) + min(v, w)
    var z = (a @ v)[2] + v @ a @ w + norm(cross(v, w)) + mean(v) + argmax(v) + a[1] @ v + (a.T @ w)[0] + vy * vz + max(v @ a)
    for e in a @ t { z += e * z / 10 }
    for row in a { y += row * (row @ t) }
    for row in [v, w] { y -= cross(row, t) }
    y[0:2] = y[1:] + concat(v[0:1], w[2:])
    y += reverse(v) + run(v / 10) + vstack([v], [w])[1]
    y[1] *= 2
    return (y, z)
}
kernel each(y: inout f64[n, 3], z: out f64[n], s: Sim, q: P[n], a: f64[3, 3]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { (y[i], z[i]) = one(y[i], s, q, a, i) }
}

let n = 5
let p = [[sin(f64(i + 3 * j)) for j in 0:3] for i in 0:n]
let q = [P(f64(i), 1.0, 0.5) for i in 0:n]
let a = [[1.0, 2.0, 0.5], [0.0, 1.0, -1.0], [2.0, 0.25, 3.0]]
var y = zeros(f64, n, 3)
var z = zeros(f64, n)
let s = Sim(p, ones(f64, n))
launch each[1, 16](y, z, s, q, a)
var y_outside = zeros(f64, n, 3)
var z_outside = zeros(f64, n)
for i in 0:n { (y_outside[i], z_outside[i]) = one(y_outside[i], s, q, a, i) }
print(max(abs(y - y_outside)) < 1e-10, max(abs(z - z_outside)) < 1e-10, f"{sum(y):.6f} {sum(z):.6f}")
# Running sums of up to sixteen elements
fn running(x: f64[4]) -> f64 = sum(cumsum(x) * scan(fn(u, v) => max(u, v), x))
var sums = zeros(f64, 6)
parallel for i in 0:6 { sums[i] = running([f64(i), 2.0 - i, 1.0, f64(i * i)]) }
print(sums, [running([f64(i), 2.0 - i, 1.0, f64(i * i)]) for i in 0:6])
