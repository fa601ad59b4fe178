# Bodies that read columns: maps and sums, rows in order and chosen, branches, f32, second derivatives, no rows
fn distance(x: T[n, 4], i: int) -> T {
    let a = exp(x[i, 0] * x[i, 1] - x[i, 2])
    let b = sqrt(a^2 + x[i, 3]^2 + 1) / (1 + x[i, 0]^2)
    let c = if x[i, 2] > 0 { sin(a * b) * cos(x[i, 1] + b) } else { a * b + x[i, 2] * x[i, 3] }
    return c^2 + b * sin(x[i, 3] * c) / (1 + a^2)
}
fn rows(x: f64[n, 4]) -> f64 = sum(distance(x, i) for i in 0:n)
fn mapped(x: f64[n, 4]) -> f64 = sum([distance(x, n - 1 - i) for i in 0:n]^2)
fn chosen(x: f64[n, 4], at: int[m]) -> f64 = sum(distance(x, at[i]) for i in 0:m)
fn beside(x: f64[n, 4]) -> f64 = sum(distance(x, i) * distance(x, i + 1) for i in 0:n - 1)
fn packed(f: fn(f64[n, 4]) -> f64, x: f64[m]) -> f64 = f(reshape(x, m // 4, 4))

let x = 0.5 * randn(3, 6, 4)
let at = [3, 1, 3, 0, 5]
print(check_grad(fn(y: f64[n]) => packed(rows, y), flatten(x)) < 1e-6)
print(check_grad(fn(y: f64[n]) => packed(mapped, y), flatten(x)) < 1e-6)
print(check_grad(fn(y: f64[n]) => packed(beside, y), flatten(x)) < 1e-6)
print(check_grad(fn(y: f64[n]) => packed(fn(z: f64[k, 4]) => chosen(z, at), y), flatten(x)) < 1e-6)
let forward = jvp(grad(rows))(x, ones(f64, 6, 4)).1
print(allclose(forward, hvp(rows)(x, ones(f64, 6, 4)), rtol=1e-10))
let twice = grad(fn(y: f64[n, 4]) => sum(grad(rows)(y)))(x)
print(allclose(forward, twice, rtol=1e-10), grad(rows)(zeros(f64, 0, 4)))
let single: f32[6, 4] = [f32(x[i, k]) for i in 0:6, k in 0:4]
let g = grad(fn(y: f32[n, 4]) => sum(distance(y, i) for i in 0:n))(single)
let exact = grad(rows)(x)
print(max(abs(f64(g[i, k]) - exact[i, k]) for i in 0:6, k in 0:4) < 1e-4)
