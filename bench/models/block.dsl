# A block of a language model: RMS norm, causal attention of several heads with rotary positions, a gated layer (SwiGLU), residuals.
# Differentiated by its weights.
import "measure.dsl"

const tokens = 7
const width = 12
const heads = 3
const inner = 10
const reps = 0

const per = width // heads
fn normed(x: f32[n, m], gain: f32[m]) -> f32[n, m] = x / sqrt(mean(x^2, axis=1, keepdims=true) + 1e-5) * gain
fn silu(x: f32) -> f32 = x / (1 + exp(-x))

## The heads of rows, each a matrix
fn parted(x: f32[n, width]) -> f32[heads, n, per] = [x[t, h * per + i] for h in 0:heads, t in 0:n, i in 0:per]

## Pairs of each head turned by angles that grow with the place in the text
fn rotated(x: f32[h, n, d]) -> f32[h, n, d] {
    let angle = [f64(t) * 10000.0^(-2.0 * (i % (d // 2)) / d) for t in 0:n, i in 0:d]
    let (c, s) = (f32(cos(angle)), f32(sin(angle)))
    let half = d // 2
    return [x[a, t, i] * c[t, i] + (if i < half { -x[a, t, i + half] } else { x[a, t, i - half] }) * s[t, i] for a in 0:h, t in 0:n, i in 0:d]
}
fn attention(q: f32[h, n, d], k: f32[h, n, d], v: f32[h, n, d]) -> f32[h, n, d] {
    let score = [sum(q[a, t, i] * k[a, u, i] for i in 0:d) / sqrt(f32(d)) for a in 0:h, t in 0:n, u in 0:n]
    let seen = [if u <= t { score[a, t, u] } else { -inf } for a in 0:h, t in 0:n, u in 0:n]
    let e = exp(seen - max(seen, axis=2, keepdims=true))
    return e / sum(e, axis=2, keepdims=true) @ v
}
fn block(x: f32[n, width], g1: f32[width], wq: f32[width, width], wk: f32[width, width], wv: f32[width, width], wo: f32[width, width],
         g2: f32[width], w1: f32[width, inner], w3: f32[width, inner], w2: f32[inner, width]) -> f32[n, width] {
    let a = normed(x, g1)
    let o = attention(rotated(parted(a @ wq)), rotated(parted(a @ wk)), parted(a @ wv))
    let mixed = [o[i // per, t, i % per] for t in 0:n, i in 0:width]
    let y = x + mixed @ wo
    let b = normed(y, g2)
    return y + (silu(b @ w1) * (b @ w3)) @ w2
}
fn loss(x: f32[n, width], g1: f32[width], wq: f32[width, width], wk: f32[width, width], wv: f32[width, width], wo: f32[width, width],
        g2: f32[width], w1: f32[width, inner], w3: f32[width, inner], w2: f32[inner, width]) -> f32 = mean(block(x, g1, wq, wk, wv, wo, g2, w1, w3, w2)^2)
let gradient = grad(loss, wrt=(g1, wq, wk, wv, wo, g2, w1, w3, w2))

let x = weights(1, 1.0, tokens, width)
let (g1, g2) = (1 + weights(2, 0.1, width), 1 + weights(3, 0.1, width))
let (wq, wk, wv, wo) = (weights(4, 0.1, width, width), weights(5, 0.1, width, width), weights(6, 0.1, width, width), weights(7, 0.1, width, width))
let (w1, w3) = (weights(8, 0.1, width, inner), weights(9, 0.1, width, inner))
let w2 = weights(10, 0.1, inner, width)

let g = gradient(x, g1, wq, wk, wv, wo, g2, w1, w3, w2)
if reps > 0 { # what peers find, too
    tell("block", block(x, g1, wq, wk, wv, wo, g2, w1, w3, w2))
    tell("g1", g.0)
    tell("wq", g.1)
    tell("wk", g.2)
    tell("wv", g.3)
    tell("wo", g.4)
    tell("g2", g.5)
    tell("w1", g.6)
    tell("w3", g.7)
    tell("w2", g.8)
}

let e = f32(2^-8)
fn moved(e: f32, seed: int, w: f32[n, m]) -> f32[n, m] = w + e * weights(seed, 0.5, n, m)
fn moved(e: f32, seed: int, w: f32[n]) -> f32[n] = w + e * weights(seed, 0.5, n)
fn moved_loss(e: f32, x: f32[n, width], g1: f32[width], wq: f32[width, width], wk: f32[width, width], wv: f32[width, width], wo: f32[width, width],
              g2: f32[width], w1: f32[width, inner], w3: f32[width, inner], w2: f32[inner, width]) -> f32 =
    loss(x, moved(e, 21, g1), moved(e, 22, wq), moved(e, 23, wk), moved(e, 24, wv), moved(e, 25, wo), moved(e, 26, g2), moved(e, 27, w1), moved(e, 28, w3), moved(e, 29, w2))
agree(f64(moved_loss(e, x, g1, wq, wk, wv, wo, g2, w1, w3, w2) - moved_loss(-e, x, g1, wq, wk, wv, wo, g2, w1, w3, w2)) / (2 * f64(e)),
    along(21, g.0) + along(22, g.1) + along(23, g.2) + along(24, g.3) + along(25, g.4) + along(26, g.5) + along(27, g.6) + along(28, g.7) + along(29, g.8), 1e-2)

var value = f32(0)
var found = g
var took = zeros(f64, reps + 1)
for r in 0:reps {
    let asked = f32(1 - 1e-6 * r) * x
    let start = time()
    value += block(asked, g1, wq, wk, wv, wo, g2, w1, w3, w2)[r % tokens, 0]
    took[r + 1] = time() - start
}
report("forward", took)
for r in 0:reps {
    let asked = f32(1 - 1e-6 * r) * x
    let start = time()
    found = gradient(asked, g1, wq, wk, wv, wo, g2, w1, w3, w2)
    took[r + 1] = time() - start
}
report("gradient", took)
if reps > 0 { print("did", value, sum(found.0) + sum(found.1) + sum(found.2) + sum(found.3) + sum(found.4) + sum(found.5) + sum(found.6) + sum(found.7) + sum(found.8)) } # so that all is done
