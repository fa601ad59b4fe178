# Softmax attention of one head, in whole arrays. Differentiated by queries, keys and values.
const n = 6
const d = 4
const reps = 0

import "measure.dsl"

fn attended(q: f64[n, d], k: f64[n, d], v: f64[n, d]) -> f64[n, d] {
    let score = q @ k.T / sqrt(f64(d))
    let e = exp(score - max(score, axis=1, keepdims=true))
    return e / sum(e, axis=1, keepdims=true) @ v
}
fn misfit(q: f64[n, d], k: f64[n, d], v: f64[n, d], scale: f64) -> f64 = scale * sum((attended(q, k, v) - q)^2)
let gradient = grad(misfit, wrt=(q, k, v))

let (q, k, v) = ([noise(1, i * d + j) for i in 0:n, j in 0:d], [noise(2, i * d + j) for i in 0:n, j in 0:d], [noise(3, i * d + j) for i in 0:n, j in 0:d])
let (dq, dk, dv) = ([noise(4, i * d + j) for i in 0:n, j in 0:d], [noise(5, i * d + j) for i in 0:n, j in 0:d], [noise(6, i * d + j) for i in 0:n, j in 0:d])
let (gq, gk, gv) = gradient(q, k, v, 1.0)
agree(misfit(q + h * dq, k + h * dk, v + h * dv, 1.0) - misfit(q - h * dq, k - h * dk, v - h * dv, 1.0),
    sum(gq * dq) + sum(gk * dk) + sum(gv * dv))

var value = 0.0
var found = (gq, gk, gv)
var took = zeros(f64, reps + 1)
for r in 0:reps {
    let asked = (1.0 + 1e-9 * r) * q # another each time, or its product with the keys would be computed before the loop
    let start = time()
    value += misfit(asked, k, v, 1.0)
    took[r + 1] = time() - start
}
report("primal", took)
for r in 0:reps {
    let asked = (1.0 + 1e-9 * r) * q
    let start = time()
    found = gradient(asked, k, v, 1.0)
    took[r + 1] = time() - start
}
report("gradient", took)
print(f"check {value:.9g} {sum(found.0^2) + sum(found.1^2) + sum(found.2^2):.9g}")
