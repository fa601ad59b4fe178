# A Kolmogorov-Arnold network: on each edge of a layer a learned function of one variable, a cubic spline beside a multiple of silu.
# The spline's basis is that of Cox and de Boor on a grid of even steps. Differentiated by all coefficients.
import "measure.dsl"

const batch = 12
const inputs = 3
const hidden = 5
const cells = 8
const reps = 0

const step = f32(2) / cells
fn knot(j: int) -> f32 = f32(j - 3) * step - 1

fn first(x: f32[n, m]) -> f32[n, m, cells + 6] = [if x[i, p] >= knot(k) and x[i, p] < knot(k + 1) { 1 } else { 0 } for i in 0:n, p in 0:m, k in 0:cells + 6]

## The basis of one order more
fn raised(b: f32[n, m, q], x: f32[n, m], order: int) -> f32[n, m, q - 1] =
    [(x[i, p] - knot(k)) / (knot(k + order) - knot(k)) * b[i, p, k] + (knot(k + order + 1) - x[i, p]) / (knot(k + order + 1) - knot(k + 1)) * b[i, p, k + 1]
     for i in 0:n, p in 0:m, k in 0:q - 1]

fn basis(x: f32[n, m]) -> f32[n, m, cells + 3] = raised(raised(raised(first(x), x, 1), x, 2), x, 3)
fn silu(x: f32) -> f32 = x / (1 + exp(-x))

fn layer(x: f32[n, m], base: f32[m, k], spline: f32[m, q, k]) -> f32[n, k] =
    silu(x) @ base + reshape(basis(x), n, m * q) @ reshape(spline, m * q, k)

fn network(x: f32[n, m], w1: f32[m, h], c1: f32[m, q, h], w2: f32[h, h], c2: f32[h, q, h], w3: f32[h, o], c3: f32[h, q, o]) -> f32[n, o] =
    layer(layer(layer(x, w1, c1), w2, c2), w3, c3)

fn loss(x: f32[n, m], y: f32[n, o], w1: f32[m, h], c1: f32[m, q, h], w2: f32[h, h], c2: f32[h, q, h], w3: f32[h, o], c3: f32[h, q, o]) -> f32 =
    mean((network(x, w1, c1, w2, c2, w3, c3) - y)^2)
let gradient = grad(loss, wrt=(w1, c1, w2, c2, w3, c3))

let (w1, w2, w3) = (weights(1, 0.2, inputs, hidden), weights(2, 0.1, hidden, hidden), weights(3, 0.1, hidden, 1))
let (c1, c2, c3) = (weights(4, 0.2, inputs, cells + 3, hidden), weights(5, 0.1, hidden, cells + 3, hidden), weights(6, 0.1, hidden, cells + 3, 1))
let x = weights(7, 0.9, batch, inputs)
let y = [f32(sin(3 * x[i, 0]) + x[i, 1]^2) for i in 0:batch, j in 0:1]

let g = gradient(x, y, w1, c1, w2, c2, w3, c3)
if reps > 0 { # what peers find, too
    tell("network", network(x, w1, c1, w2, c2, w3, c3))
    tell("w1", g.0)
    tell("c1", g.1)
    tell("w2", g.2)
    tell("c2", g.3)
    tell("w3", g.4)
    tell("c3", g.5)
}

let e = f32(2^-7) # directions are those of "along": noise is weights of half the scale
let (d1, d2, d3) = (e * weights(21, 0.5, inputs, hidden), e * weights(22, 0.5, hidden, hidden), e * weights(23, 0.5, hidden, 1))
let (e1, e2, e3) = (e * weights(24, 0.5, inputs, cells + 3, hidden), e * weights(25, 0.5, hidden, cells + 3, hidden), e * weights(26, 0.5, hidden, cells + 3, 1))
agree(f64(loss(x, y, w1 + d1, c1 + e1, w2 + d2, c2 + e2, w3 + d3, c3 + e3) - loss(x, y, w1 - d1, c1 - e1, w2 - d2, c2 - e2, w3 - d3, c3 - e3)) / (2 * f64(e)),
    along(21, g.0) + along(24, g.1) + along(22, g.2) + along(25, g.3) + along(23, g.4) + along(26, g.5), 1e-2)

var value = f32(0)
var found = g
var took = zeros(f64, reps + 1)
for r in 0:reps {
    let asked = f32(1 - 1e-6 * r) * x
    let start = time()
    value += network(asked, w1, c1, w2, c2, w3, c3)[r % batch, 0]
    took[r + 1] = time() - start
}
report("forward", took)
for r in 0:reps {
    let asked = f32(1 - 1e-6 * r) * x
    let start = time()
    found = gradient(asked, y, w1, c1, w2, c2, w3, c3)
    took[r + 1] = time() - start
}
report("gradient", took)
if reps > 0 { print("did", value, sum(found.0) + sum(found.1) + sum(found.2) + sum(found.3) + sum(found.4) + sum(found.5)) } # so that all is done
