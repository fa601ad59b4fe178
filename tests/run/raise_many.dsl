# Sums of products over several indices: tensor contractions, batches, convolutions and their derivatives; of numbers whose sums are exact,
# so that they are the same in any order (--fp=reassoc has them as matrix products)
fn layer(w: f32[q, r, v], p: f32[r, h, u]) -> f32[q, h, u - v + 1] = [sum(w[k, l, v] * p[l, i, j + v] for l, v) for k, i, j in 0:u - v + 1]
fn conv2(w: f64[q, r, v, z], p: f64[r, h, u]) -> f64[q, h - v + 1, u - z + 1] = [sum(w[k, l, a, b] * p[l, i + a, j + b] for l, a, b) for k, i in 0:h - v + 1, j in 0:u - z + 1]
fn shared(x: f64[b, t, k], w: f64[k, j]) -> f64[b, t, j] = [sum(x[b, t, k] * w[k, j] for k) for b, t, j]
fn contraction(x: f64[i, k, l], y: f64[l, k, j]) -> f64[j, i] = [sum(x[i, k, l] * y[l, k, j] for k, l) for j, i]
fn attention(q: f64[b, h, t, k], p: f64[b, h, s, k]) -> f64[b, h, t, s] = [sum(q[b, h, t, k] * p[b, h, s, k] for k) for b, h, t, s]
fn exps(x: f64[i, k], y: f64[k, j]) -> f64[i, j] = [sum(exp(x[i, k]) * y[k, j] for k) for i, j]
fn ways(n: int) -> (f64, f64) {
    let x = [f64((l * 5 + i * 3 + j) % 13 - 6) / 8 for l in 0:n, i in 0:20, j in 0:30]
    let y = [f64((i * 3 + j) % 17 - 8) / 8 for i in 0:30, j in 0:n + 1]
    return (sum(shared(x, y)), sum(sum(x[i, k, l] * y[l, j] * 2 for k, l) * (i + j) for i in 0:n, j in 0:n + 1))
}
let w = [f32((k * 7 + l * 3 + v) % 11 - 5) / 16 for k in 0:32, l in 0:32, v in 0:3]
let p = [f32((l * 5 + i * 3 + j) % 13 - 6) / 8 for l in 0:32, i in 0:64, j in 0:258]
print(sum(layer(w, p)), layer(w, p)[3, 4, 5])
let w2 = [f64((k * 7 + l * 3 + a * 5 + b) % 11 - 5) / 16 for k in 0:12, l in 0:9, a in 0:3, b in 0:3]
let p2 = [f64((l * 5 + i * 3 + j) % 13 - 6) / 8 for l in 0:9, i in 0:20, j in 0:30]
print(sum(conv2(w2, p2)), conv2(w2, p2)[3, 4, 5])
let x = [f64((l * 5 + i * 3 + j) % 13 - 6) / 8 for l in 0:9, i in 0:20, j in 0:30]
let y = [f64((i * 3 + j) % 17 - 8) / 8 for i in 0:30, j in 0:40]
print(shared(x, y)[3, 4, 5], sum(shared(x, y)))
let z = [f64((i * 3 + j + k) % 17 - 8) / 8 for i in 0:30, j in 0:20, k in 0:11]
print(contraction(x, z)[3, 4], sum(contraction(x, z)))
let qq = [f64((i * 3 + j + k * a) % 17 - 8) / 8 for i in 0:3, j in 0:4, k in 0:11, a in 0:16]
let pp = [f64((i * 3 + j * k + a) % 17 - 8) / 8 for i in 0:3, j in 0:4, k in 0:13, a in 0:16]
print(attention(qq, pp)[1,2,3,4], sum(attention(qq, pp)))
print(abs(exps(x[0], y)[1, 2] + 1.6233828029777) < 1e-12)
print(ways(40), ways(1), ways(0))
let (g, h) = grad(fn(w, p) => sum(conv2(w, p)^2))(w2, p2)
print(sum(g), g[1, 2, 1, 2], sum(h), h[1, 2, 1])
