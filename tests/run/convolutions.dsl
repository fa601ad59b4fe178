# Sums over several axes, for each element of an array: layers, windows, strides, products of tensors.  Sizes known when
# compiling and not; a sum of zeros is 0, never -0.
fn count(k: int) -> int = int(sum(ones(f64, k)))
fn layer(w: T[q, r, v], p: T[r, h, u]) -> T[q, h, u - v + 1] = [sum(w[k, l, v] * p[l, i, j + v] for l, v) for k, i, j in 0:u - v + 1]
fn deep(w: f32[q, r, v, v], p: f32[r, h, u]) -> f32[q, h - v + 1, u - v + 1] =
    [sum(w[k, l, a, b] * p[l, i + a, j + b] for l, a, b) for k, i in 0:h - v + 1, j in 0:u - v + 1]

fn show(name: str, y: f64[n]) { print(name, n, sum(y), y[0], y[n // 2], y[n - 1], sum(if 1 / v == -inf { 1 } else { 0 } for v in y)) }
fn flat(y: T[a, b, c]) -> f64[a * b * c] = [f64(y[i // (b * c), i // c % b, i % c]) for i in 0:a * b * c]
fn flat(y: T[a, b]) -> f64[a * b] = [f64(y[i // b, i % b]) for i in 0:a * b]

let c = count(11)
let w3 = [f32((k * 7 + l * 3 + v) % 5 - 2) / 3 for k in 0:4, l in 0:c, v in 0:3]
let p3 = [f32((l * 5 + i * 3 + j) % 7 - 3) / 7 for l in 0:c, i in 0:5, j in 0:147]
show("layer", flat(layer(w3, p3)))
show("layer of zeros", flat(layer([-abs(x) * 0.0 for x in w3], [abs(x) for x in p3])))
let w5 = [f64(w3[k % 4, l, v % 3]) for k in 0:2, l in 0:c, v in 0:count(5)]
show("layer, size unknown", flat(layer(w5, [f64(p3[l, i, j]) for l in 0:c, i in 0:3, j in 0:147])))
show("deep", flat(deep([w3[k, l, (a + b) % 3] for k in 0:4, l in 0:c, a in 0:2, b in 0:2], p3)))
show("deep, size unknown", flat(deep([w3[k, l, (a + b) % 3] for k in 0:4, l in 0:c, a in 0:count(3), b in 0:count(3)], p3)))
