# The volume integral of a discontinuous Galerkin method for the Euler equations in the plane: a block for each element, a thread
# for each node, fluxes in shared memory, two sums over a row and a column behind a barrier. Differentiated by the state and by
# the geometry.
const q = 4
const elements = 3
const reps = 0
const gamma = 1.4

import "measure.dsl"

kernel volume(rate: out f64[ne, 4, q, q], state: f64[ne, 4, q, q], metric: f64[ne, q, q, 4], d: f64[q, q]) {
    shared f: f64[4, q, q]
    shared g: f64[4, q, q]
    shared s: f64[q, q]
    let e = block.x
    let i = thread.x
    let j = thread.y
    s[j, i] = d[j, i]
    let rho = state[e, 0, j, i]
    let mx = state[e, 1, j, i]
    let my = state[e, 2, j, i]
    let en = state[e, 3, j, i]
    let u = mx / rho
    let v = my / rho
    let p = (gamma - 1) * (en - 0.5 * (mx * u + my * v))
    let (ax, ay, bx, by) = (metric[e, j, i, 0], metric[e, j, i, 1], metric[e, j, i, 2], metric[e, j, i, 3])
    let along = ax * u + ay * v
    let across = bx * u + by * v
    f[0, j, i] = rho * along
    f[1, j, i] = mx * along + ax * p
    f[2, j, i] = my * along + ay * p
    f[3, j, i] = (en + p) * along
    g[0, j, i] = rho * across
    g[1, j, i] = mx * across + bx * p
    g[2, j, i] = my * across + by * p
    g[3, j, i] = (en + p) * across
    barrier
    for c in 0:4 {
        var total = 0.0
        for k in 0:q { total += s[k, i] * f[c, j, k] + s[k, j] * g[c, k, i] }
        rate[e, c, j, i] = total
    }
}
fn size_of_rate(state: f64[ne, 4, q, q], metric: f64[ne, q, q, 4], d: f64[q, q], scale: f64) -> f64 {
    var rate = zeros(f64, ne, 4, q, q)
    launch volume[ne, (q, q)](rate, state, metric, d)
    return scale * sum(rate^2)
}
let gradient = grad(size_of_rate, wrt=(state, metric))

fn start(c: int) -> f64 = [1.0, 0.3, -0.2, 2.5][c]
let state = [start(c) + 0.1 * noise(1, ((e * 4 + c) * q + j) * q + i) for e in 0:elements, c in 0:4, j in 0:q, i in 0:q]
let metric = [(if k == 0 or k == 3 { 1.0 } else { 0.0 }) + 0.1 * noise(2, ((e * 4 + k) * q + j) * q + i) for e in 0:elements, j in 0:q, i in 0:q, k in 0:4]
let d = [noise(3, i * q + j) for i in 0:q, j in 0:q]
let ds = [noise(4, ((e * 4 + c) * q + j) * q + i) for e in 0:elements, c in 0:4, j in 0:q, i in 0:q]
let dm = [noise(5, ((e * 4 + k) * q + j) * q + i) for e in 0:elements, j in 0:q, i in 0:q, k in 0:4]
let (gs, gm) = gradient(state, metric, d, 1.0)
agree(size_of_rate(state + h * ds, metric + h * dm, d, 1.0) - size_of_rate(state - h * ds, metric - h * dm, d, 1.0), sum(gs * ds) + sum(gm * dm))

var value = 0.0
var found = (gs, gm)
var took = zeros(f64, reps + 1)
for r in 0:reps {
    let start = time()
    value += size_of_rate(state, metric, d, 1.0 + 1e-9 * r)
    took[r + 1] = time() - start
}
report("primal", took)
for r in 0:reps {
    let start = time()
    found = gradient(state, metric, d, 1.0 + 1e-9 * r)
    took[r + 1] = time() - start
}
report("gradient", took)
print(f"check {value:.9g} {sum(found.0^2) + sum(found.1^2):.9g}")
