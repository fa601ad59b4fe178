# Sums over windows, strided ones, products of tensors, the greatest of a window, for each element of an array.
# Sizes known when compiling and not; a sum of zeros is 0, never -0.
fn count(k: int) -> int = int(sum(ones(f64, k)))
fn window(w: f64[a, b], p: f64[h, u]) -> f64[h - a + 1, u - b + 1] =
    [sum(w[s, t] * p[i + s, j + t] for s, t) for i in 0:h - a + 1, j in 0:u - b + 1]
fn apart(w: f64[c, a, b], p: f64[c, h, u], rows: int, columns: int) =
    [sum(w[k, s, t] * p[k, i + s, j + t] for s, t) for k, i in 0:rows, j in 0:columns]
fn strided(w: f32[q, r, v], p: f32[r, u], m: int) = [sum(w[k, l, v] * p[l, 3 * j + v] for l, v) for k, j in 0:m]
fn line(w: f64[v], x: f64[n], m: int) = [sum(w[k] * x[i + k] for k) for i in 0:m]
fn product(a: f64[n, k, l], b: f64[k, l, m]) -> f64[n, m] = [sum(a[i, k, l] * b[k, l, j] for k, l) for i, j]
fn pool(p: f32[c, h, u]) -> f32[c, h // 2, u // 2] = [max(p[k, 2 * i + a, 2 * j + b] for a in 0:2, b in 0:2) for k, i in 0:h // 2, j in 0:u // 2]

fn show(name: str, y: f64[n]) { print(name, n, sum(y), y[0], y[n // 2], y[n - 1], sum(if 1 / v == -inf { 1 } else { 0 } for v in y)) }
fn flat(y: T[a, b, c]) -> f64[a * b * c] = [f64(y[i // (b * c), i // c % b, i % c]) for i in 0:a * b * c]
fn flat(y: T[a, b]) -> f64[a * b] = [f64(y[i // b, i % b]) for i in 0:a * b]

let c = count(11)
let w3 = [f32((k * 7 + l * 3 + v) % 5 - 2) / 3 for k in 0:4, l in 0:c, v in 0:3]
let p3 = [f32((l * 5 + i * 3 + j) % 7 - 3) / 7 for l in 0:c, i in 0:5, j in 0:147]
let g = [f64((i * 11 + j * 5) % 17 - 8) / 9 for i in 0:20, j in 0:count(90)]
for s in 1:12:4 {
    show("window", flat(window([f64(a - b) / 3 for a in 0:s, b in 0:count(13 - s)], g)))
}
show("window of zeros", flat(window([0.0 for a in 0:3, b in 0:count(2)], [-1.0 for i in 0:9, j in 0:40])))
let g3 = [g[i, j] * f64(k + 1) for k in 0:3, i in 0:20, j in 0:90]
show("apart", flat(apart([f64(k + a - b) / 3 for k in 0:3, a in 0:3, b in 0:3], g3, count(18), count(88))))
show("strided", flat(strided(w3, [p3[l, 0, j] for l in 0:c, j in 0:147], count(48))))
show("line", line([1 / f64(k + 1) for k in 0:count(21)], [g[i // 90, i % 90] for i in 0:1800], count(1780)))
show("line of 5000", line([1 / f64(k + 1) for k in 0:count(5000)], [f64(i % 19) - 9 for i in 0:5100], count(101)))
show("product", flat(product([f64(i + k - l) / 3 for i in 0:9, k in 0:c, l in 0:count(13)], [f64(k - l + j % 5) / 7 for k in 0:c, l in 0:count(13), j in 0:50])))
show("pool", flat(pool(p3)))
show("pool of nan", flat(pool([if (i + j) % 9 == 0 { f32(nan) } else { f32(-inf) } for k in 0:2, i in 0:6, j in 0:40])))
