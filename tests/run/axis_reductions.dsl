# Reductions along axes of what is transposed, repeated, joined, padded, multiplied: as written, whatever becomes of
# them.  All numbers are whole, so the order of sums does not matter.
fn rows(a: f64[n, k], b: f64[k, m]) -> f64[m] = sum(a @ b, axis=0)
fn columns(a: f64[n, k], b: f64[m, k]) -> f64[n] = sum(a @ b.T, axis=1)
fn all_of(a: f64[k, n], b: f64[k, m]) -> f64 = sum(a.T @ b)
fn weighted(a: f64[n, k], b: f64[k, m], v: f64[m]) -> f64[n] = sum(a @ b * v, axis=1)
fn weighted_rows(a: f64[n, m], v: f64[n]) -> f64[m] = sum(v[:, newaxis] * a, axis=0)
fn factor(a: f64[n, m], v: f64[n]) -> f64[n] = sum(a * v[:, newaxis], axis=1)
fn in_order(a: f64[n, m], v: f64[n]) -> f64[m] = max(v[:, newaxis] * a, axis=0)
fn all_weighted(a: f64[n, m], v: f64[m], u: f64[n]) -> f64 = sum(a * v) + sum(u[:, newaxis] * a)
fn scaled(a: f64[n, m], c: f64) -> f64[m] = sum(c * a, axis=0) - sum(-a, axis=0)
fn twice(a: f64[n, m, p]) -> (f64[m], f64, int[n]) = (sum(sum(a, axis=2), axis=0), sum(sum(a, axis=1)), sum(sum(int(a), axis=2), axis=1))
fn mixed(a: f64[n, m, p]) -> f64[n] = max(sum(a, axis=1), axis=1)
fn turned(a: f64[n, m, p]) -> (f64[p, n], f64[m]) = (min(transpose(a), axis=1), sum(sum(transpose(a), axis=2), axis=0))
fn joined(a: f64[n, m], b: f64[k, m]) -> (f64[n + k], f64[m]) = (prod(vstack(a, b), axis=1), sum(vstack(a, b), axis=0))
fn framed(a: f64[n, m]) -> f64[m + 2] {
    var r = zeros(f64, n + 2, m + 2)
    r[1:n + 1, 1:m + 1] = a
    return sum(r, axis=0)
}
fn part(a: f64[n, m]) -> f64[2] = sum(a, axis=1)[1:3]
fn one(a: f64[n, k], b: f64[k, m], i: int) -> f64 = sum(a @ b, axis=0)[i]
fn repeated(v: f64[n], u: f64[m]) -> (f64[m], f64[m]) {
    let g = [v[i] for i in 0:n, j in 0:m]
    return (sum(g, axis=0), sum(g + u, axis=0))
}
fn squares(x: f64[n, k], b: f64[k, m], v: f64[m]) -> f64 = sum(sum(x @ b * v, axis=1)^2)
fn gradient(a: f64[n, k], b: f64[k, m], v: f64[m]) -> f64[n, k] = grad(squares, wrt=x)(a, b, v)
let a = [f64((3 * i + 2 * j) % 5 - 2) for i in 0:4, j in 0:3]
let b = [f64((i + 4 * j) % 7 - 3) for i in 0:3, j in 0:5]
let c = [f64((i * j + k) % 4 - 1) for i in 0:2, j in 0:3, k in 0:4]
let (u, v, w) = ([1.0, -2.0, 3.0, 0.0], [2.0, 0.0, -1.0], [1.0, 2.0, -3.0, 4.0, 0.0])
print(rows(a, b), columns(a, b.T), all_of(a.T, b), weighted(a, b, w), weighted_rows(a, u), factor(a, u), in_order(a, u))
print(all_weighted(a, v, u), scaled(a, 3.0), twice(c), mixed(c), turned(c), joined(a, a[1:3]), framed(a), part(a), one(a, b, 2))
print(repeated(u, w), gradient(a, b, w), sum(zeros(f64, 0, 3) @ b, axis=0), columns(a, zeros(f64, 0, 3)), sum(zeros(f64, 2, 0) @ zeros(f64, 0, 2)))
