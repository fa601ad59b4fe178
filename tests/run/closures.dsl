# What lambdas capture: scalars, arrays, sizes, other functions.
fn map(f: fn(T) -> U, x: T[n]) -> U[n] = [f(x[i]) for i in 0:n]
fn map2(f: fn(T) -> U, x: T[n]) -> U[n] = map(f, x)
fn compose(f: fn(T) -> U, g: fn(U) -> V, x: T) -> V = g(f(x))
fn twice(f: fn(T) -> T, x: T) -> T = f(f(x))
fn weighted(x: f64[n], w: f64[n], k: int) -> f64[n] {
    let scale = 2.0
    let m = n - 1
    let half = fn(v) => v / scale
    return map2(fn(v) => half(v) * w[0] + f64(m) + w[n - 1] * f64(k), x)
}
fn rows(A: f64[n, m], b: f64[m]) -> f64[n] = [dotp(A[i], b) for i in 0:n]
fn dotp(a: f64[n], b: f64[n]) -> f64 = sum(a[i] * b[i] for i)
print(weighted([1.0, 2.0, 3.0], [10.0, 20.0, 30.0], 2))
let c = 3.0
let t = [1.0, 2.0, 4.0]
let addc = fn(v) => v + c
print(map(addc, t), map2(addc, t), twice(addc, 1.0), compose(addc, fn(v) => v * t[1], 1.0))
print(twice(fn(v) => v * 2.0, t), map(fn(i) => i * i, [1, 2, 3]))
print(reduce(fn(a, b) => max(a, b + c - c), 0.0, t), scan(fn(a, b) => a + b, t), reduce(max, -1.0, t))
print(map(fn(i) => sum(t) * f64(i), [1, 2]), map(fn(i) => (i, 2*i), [1, 2])[1].1)
print(rows([[1.0, 2.0], [3.0, 4.0]], [1.0, 1.0]))
var acc = 0.0
for i in 0:3 {
    let shift = f64(i)
    acc += sum(map(fn(v) => v + shift, t))
}
print(acc)
fn outer(k: f64) -> f64 {
    let g = fn(x) => x * k
    let h = fn(x) => g(x) + g(1.0)
    return h(2.0) + sum(map(h, [1.0, 2.0]))
}
print(outer(3.0))
print(map(sqrt, [4.0, 9.0]), map(abs, [-1, 2]), reduce(min, 9, [3, 1, 2]))
