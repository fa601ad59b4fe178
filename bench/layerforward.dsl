# Rodinia's bpnn_layerforward: shared memory, a tree with barriers
const rows = 16
const nin = 262144
const nhid = 16
const reps = 10

kernel layerforward(partial: out f32[nblocks, nhid], weights: inout f32[nrows, nhid], input: f32[nrows]) {
    shared node: f32[rows]
    shared tile: f32[rows, nhid]
    let by = block.y
    let tx = thread.x
    let ty = thread.y
    let row = by * rows + ty
    if tx == 0 {
        node[ty] = input[row]
    }
    barrier
    tile[ty, tx] = weights[row, tx]
    barrier
    tile[ty, tx] = tile[ty, tx] * node[ty]
    barrier
    for i in 1:5 {
        let power = 1 << i
        if ty % power == 0 {
            tile[ty, tx] = tile[ty, tx] + tile[ty + (power >> 1), tx]
        }
        barrier
    }
    weights[row, tx] = tile[ty, tx]
    barrier
    if tx == 0 and ty == 0 {
        for j in 0:nhid {
            partial[by, j] = tile[0, j]
        }
    }
}

let input = [f32(i * 7919 % 10007) / f32(20014) for i in 0:nin]
var w = [f32((i * nhid + j) * 7919 % 10007) / f32(10007) for i in 0:nin, j in 0:nhid]
var partial = zeros(f32, nin // rows, nhid)
launch layerforward[(1, nin // rows), (nhid, rows)](partial, w, input)
let start = time()
for r in 0:reps { launch layerforward[(1, nin // rows), (nhid, rows)](partial, w, input) }
let seconds = (time() - start) / reps
print("check", sum(f64(partial)) + sum(f64(w)))
print("time", seconds)
