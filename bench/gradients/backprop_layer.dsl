# A layer of a network as in Rodinia's backprop: products in shared memory, summed over the rows of a block by a tree with
# barriers, then a sigmoid. Differentiated by weights and input.
const nin = 48
const reps = 0
const rows = 16
const nhid = 16

import "measure.dsl"

kernel layer(partial: out f64[nblocks, nhid], weights: f64[nrows, nhid], input: f64[nrows]) {
    shared node: f64[rows]
    shared tile: f64[rows, nhid]
    let by = block.y
    let tx = thread.x
    let ty = thread.y
    let row = by * rows + ty
    if tx == 0 { node[ty] = input[row] }
    barrier
    tile[ty, tx] = weights[row, tx] * node[ty]
    barrier
    for i in 1:5 {
        let power = 1 << i
        if ty % power == 0 { tile[ty, tx] = tile[ty, tx] + tile[ty + (power >> 1), tx] }
        barrier
    }
    if ty == 0 { partial[by, tx] = tile[0, tx] }
}
fn misfit(weights: f64[n, nhid], input: f64[n], scale: f64) -> f64 {
    var partial = zeros(f64, n // rows, nhid)
    launch layer[(1, n // rows), (nhid, rows)](partial, weights, input)
    let hidden = [1 / (1 + exp(-50 * sum(partial[b, j] for b) / n)) for j in 0:nhid]
    return scale * sum((hidden - 0.3)^2)
}
let gradient = grad(misfit, wrt=(weights, input))

let input = [noise(1, i) for i in 0:nin]
let weights = [noise(2, i * nhid + j) for i in 0:nin, j in 0:nhid]
let di = [noise(3, i) for i in 0:nin]
let dw = [noise(4, i * nhid + j) for i in 0:nin, j in 0:nhid]
let (gw, gi) = gradient(weights, input, 1.0)
agree(misfit(weights + h * dw, input + h * di, 1.0) - misfit(weights - h * dw, input - h * di, 1.0), sum(gw * dw) + sum(gi * di))

var value = 0.0
var found = (gw, gi)
var took = zeros(f64, reps + 1)
for r in 0:reps {
    let start = time()
    value += misfit(weights, input, 1.0 + 1e-9 * r)
    took[r + 1] = time() - start
}
report("primal", took)
for r in 0:reps {
    let start = time()
    found = gradient(weights, input, 1.0 + 1e-9 * r)
    took[r + 1] = time() - start
}
report("gradient", took)
print(f"check {value:.9g} {sum(found.0^2) + sum(found.1^2):.9g}")
