# Sums of products over several indices, for --fp=reassoc: milliseconds, the best of `reps`
const reps = 7

# A layer of a network for each token of each sequence
fn dense(x: f32[b, t, k], w: f32[k, j]) -> f32[b, t, j] = [sum(x[b, t, k] * w[k, j] for k) for b, t, j]
# Scores of attention, heads in the middle
fn scores(q: f32[b, t, h, k], p: f32[b, s, h, k]) -> f32[b, h, t, s] = [sum(q[b, t, h, k] * p[b, s, h, k] for k) for b, h, t, s]
# Two axes of a tensor with two of another
fn contraction(x: f64[i, k, l], y: f64[l, k, j]) -> f64[i, j] = [sum(x[i, k, l] * y[l, k, j] for k, l) for i, j]
fn conv1(w: f32[q, r, v], p: f32[b, r, u]) -> f32[b, q, u - v + 1] = [sum(w[k, l, a] * p[m, l, j + a] for l, a) for m in 0:b, k in 0:q, j in 0:u - v + 1]
fn conv2(w: f32[q, r, v, z], p: f32[b, r, h, u]) -> f32[b, q, h - v + 1, u - z + 1] =
    [sum(w[k, l, c, d] * p[m, l, i + c, j + d] for l, c, d) for m in 0:b, k in 0:q, i in 0:h - v + 1, j in 0:u - z + 1]
fn loss(w: f32[q, r, v, z], p: f32[b, r, h, u]) -> f32 = sum(conv2(w, p)^2)
# Values of basis functions, with coefficients
fn series(x: f64[n], c: f64[k, m]) -> f64[n, m] = [sum(cos(x[i] * l) * c[l, j] for l) for i in 0:n, j in 0:m]

fn shown(name: str, seconds: f64[k], check: f64) { print(name, 1000 * min(seconds), check) }
fn some(i: int) -> f32 = f32((i * 7919) % 1009) / 1009 - f32(0.5)
var took = zeros(f64, reps)

let w = [some(i * 256 + j) for i in 0:256, j in 0:256]
var x = [some((i * 128 + j) * 256 + k) for i in 0:8, j in 0:128, k in 0:256]
var y = x
for r in 0:reps {
    x[0, 0, r] = y[0, 0, r]
    let start = time()
    y = dense(x, w)
    took[r] = time() - start
}
shown("dense", took, f64(y[1, 2, 3]))
var q = [some(((i * 128 + j) * 8 + k) * 64 + l) for i in 0:4, j in 0:128, k in 0:8, l in 0:64]
let p = [some(((i * 128 + j) * 8 + k) * 64 + l + 5) for i in 0:4, j in 0:128, k in 0:8, l in 0:64]
var s = scores(q, p)
for r in 0:reps {
    q[0, 0, 0, r] = s[0, 0, 0, r]
    let start = time()
    s = scores(q, p)
    took[r] = time() - start
}
shown("scores", took, f64(s[1, 2, 3, 4]))
var a = [f64(some((i * 20 + j) * 30 + k)) for i in 0:300, j in 0:20, k in 0:30]
let b = [f64(some((i * 20 + j) * 300 + k)) for i in 0:30, j in 0:20, k in 0:300]
var c = contraction(a, b)
for r in 0:reps {
    a[0, 0, r] = c[0, r]
    let start = time()
    c = contraction(a, b)
    took[r] = time() - start
}
shown("contraction", took, c[1, 2])
let w1 = [some((i * 64 + j) * 5 + k) for i in 0:64, j in 0:64, k in 0:5]
var u1 = [some((i * 64 + j) * 1000 + k) for i in 0:4, j in 0:64, k in 0:1000]
var y1 = conv1(w1, u1)
for r in 0:reps {
    u1[0, 0, r] = y1[0, 0, r]
    let start = time()
    y1 = conv1(w1, u1)
    took[r] = time() - start
}
shown("conv1", took, f64(y1[1, 2, 3]))
let w2 = [some(((i * 32 + j) * 3 + k) * 3 + l) for i in 0:32, j in 0:32, k in 0:3, l in 0:3]
var u2 = [some(((i * 32 + j) * 66 + k) * 66 + l) for i in 0:4, j in 0:32, k in 0:66, l in 0:66]
var y2 = conv2(w2, u2)
for r in 0:reps {
    u2[0, 0, 0, r] = y2[0, 0, 0, r]
    let start = time()
    y2 = conv2(w2, u2)
    took[r] = time() - start
}
shown("conv2", took, f64(y2[1, 2, 3, 4]))
var g = u2
for r in 0:reps {
    u2[0, 0, 0, r] = g[0, 0, 0, r] * f32(1e-6)
    let start = time()
    let (by_w, by_u) = grad(loss)(w2, u2)
    took[r] = time() - start
    g = by_u
    y2[0, 0, 0, 0] = by_w[1, 2, 0, 1]
}
shown("conv2_gradient", took, f64(y2[0, 0, 0, 0]))
var z = [f64(some(i)) for i in 0:2000]
let by = [f64(some(i * 200 + j)) for i in 0:200, j in 0:200]
var f = series(z, by)
for r in 0:reps {
    z[r] = f[r, 0] * 0.01
    let start = time()
    f = series(z, by)
    took[r] = time() - start
}
shown("series", took, f[9, 8])
