# Sums that --fp=reassoc takes for matrix products: the same to rounding, in every spelling.
fn near(x: f64[n, m], y: f64[n, m]) -> bool = all(abs(x - y) <= 1e-12 * (1.0 + abs(y)))
fn plain(a: f64[n, k], b: f64[k, m]) -> f64[n, m] = [sum(a[i, l] * b[l, j] for l) for i, j]
fn left_turned(a: f64[k, n], b: f64[k, m]) -> f64[n, m] = [sum(a[l, i] * b[l, j] for l) for i, j]
fn right_turned(a: f64[n, k], b: f64[m, k]) -> f64[n, m] = [sum(b[j, l] * a[i, l] for l) for i, j]
fn gram(a: f64[k, n]) -> f64[n, n] = [sum(a[l, i] * a[l, j] for l) for i, j]
fn result_turned(a: f64[n, k], b: f64[k, m]) -> f64[m, n] = [sum(a[i, l] * b[l, j] for l) for j in 0:m, i in 0:n]
fn scaled(s: f64, a: f64[n, k], b: f64[k, m], c: f64[n, m]) -> f64[n, m] = [c[i, j] - sum(s * a[i, l] * 2.0 * b[l, j] for l) for i, j]
fn stack(a: f64[h, n, k], b: f64[h, k, m]) -> f64[h, n, m] = [sum(a[s, i, l] * b[s, l, j] for l) for s, i, j]
fn part(a: f64[n, k], b: f64[k, m]) -> f64[n, m] = [sum(a[i, l] * b[l, j] for l in 1:k) for i, j]
fn weighted(w: f64[k], a: f64[n, k], b: f64[k, m]) -> f64[n, m] = [sum(w[l] * a[i, l] * b[l, j] for l) for i, j]
fn total(a: f64[n, k], b: f64[k, m]) -> f64 = sum(sum(a[i, l] * b[l, j] for l)^2 for i, j)
let a = rand(1, 30, 40)
let b = rand(2, 40, 50)
let c = a @ b
print(near(plain(a, b), c), near(left_turned(a.T, b), c), near(right_turned(a, b.T), c), near(gram(b), b.T @ b))
print(near(result_turned(a, b), c.T), near(scaled(0.5, a, b, c), 0.0 * c), abs(total(a, b) - sum(c * c)) < 1e-6)
let x = reshape(rand(3, 60, 40), 2, 30, 40)
let y = reshape(rand(4, 80, 50), 2, 40, 50)
print(near(stack(x, y)[1, :, :], x[1, :, :] @ y[1, :, :]), near(part(a, b), a[:, 1:40] @ b[1:40, :]))
print(near(weighted(ones(f64, 40), a, b), c))
print(plain(a[0:0, :], b), sum(plain(a[:, 0:0], b[0:0, :])))
