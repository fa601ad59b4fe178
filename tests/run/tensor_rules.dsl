# Parts of products, transposes, sums of products: as written, whatever becomes of them.  All numbers are whole, so the
# order of sums does not matter.
fn part(a: f64[n, k], b: f64[k, m], z: f64) -> f64[p, q] = (a @ b * z + 4)[2:, 1:8:3]
fn back(a: f64[n, k], b: f64[k, m]) -> f64[p, m] = abs(a @ b)[::-2]
fn row(a: f32[n, k], b: f32[k, m], i: int) -> f32[m] = (a @ b - 1)[i, :]
fn turned(a: f64[n, k], b: f64[k, m]) -> f64[m, n] = (a @ b).T
fn element(a: f64[n, k], b: f64[k, m], i: int) -> f64 = (2 - a @ b)[i, i + 1]
fn twice(a: f64[n, k], b: f64[k, m]) -> f64[2, m] {
    let c = a @ b
    return (c * c + sum(c, axis=0))[3:5]
}
fn stacked(a: f64[h, n, k], b: f64[h, k, m]) -> f64[2, m] = (a @ b)[1, 0:2]
fn solved(a: f64[n, n], b: f64[n, m]) -> f64[n] = solve(a, b * 2)[:, 1]
fn trace(a: f64[n, k], b: f64[k, n]) -> f64 = sum((a @ b)[i, i] for i in 0:n)
fn all_of(a: f64[n, k], b: f64[k, m]) -> f64 = sum(a @ b)
fn chain(a: f64[n, k], b: f64[k, m], v: f64[m], u: f64[n]) -> (f64[n], f64[m]) = ((3 * (a @ b)) @ v, u @ (a @ b))
fn ints(a: int[n, k], b: int[k, m]) -> int[m] = (a @ b)[1]
fn loop(a: f64[n, k], b: f64[k, m]) -> f64 {
    let c = a @ b
    var s = 0.0
    for i in 0:2 { s += sum(c[i, i:i + 2]) }
    if s > 0 { s += (a @ b)[0, 0] }
    return s
}
let a = [f64((3 * i + 2 * j) % 7 - 3) for i in 0:12, j in 0:10]
let b = [f64((i + 5 * j) % 9 - 4) for i in 0:10, j in 0:14]
let s = [2 * f64(i == j) for i in 0:10, j in 0:10]
print(part(a, b, 2.0))
print(back(a, b)[:, 0:3])
print(row(f32(a), f32(b), 4), element(a, b, 3))
print(turned(a, b)[2], twice(a, b * 6)[:, 1:4])
print(stacked([a[i + j, k] for i in 0:3, j in 0:9, k in 0:10], [b[i, j] * (k + 1) for k in 0:3, i in 0:10, j in 0:14]))
print(solved(s, b), trace(a, b[:, 0:12]), all_of(a, b))
print(chain(a, b, [f64(j) for j in 0:14], [f64(i % 3) for i in 0:12]))
print(ints(int(a), int(b)), loop(a, b))
print(grad(fn(a: f64[12, 10]) => sum((a @ b)[1:3, 2] ^ 2))(a)[1:4])
