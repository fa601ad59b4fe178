# %% [markdown]
# # A layer of a neural network, as in Rodinia's backprop
#
# The hidden units of a layer are $h_j = \sigma\left(\frac1n \sum_i w_{ij} x_i\right)$ with
# $\sigma(z) = 1 / (1 + e^{-z})$. The kernel `bpnn_layerforward` of the Rodinia suite (Che et al. 2009) sums
# over the 16 rows of a block with shared memory, barriers, and a tree: in round $i$ every $2^i$-th row takes
# the one $2^{i-1}$ below it. `partial` gets a sum from each block; the last sum, over the blocks, is done by
# the caller.
# %% The kernel
const rows = 16  # of a block
const nin = 512
const nhid = 16

kernel layerforward(partial: out f32[nblocks, nhid], weights: inout f32[nrows, nhid],
                    input: f32[nrows]) {
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

# %% Launch
let input = [f32(uniform(7, i)) for i in 0:nin]
let w0 = [f32(uniform(8, i * nhid + j)) for i in 0:nin, j in 0:nhid]
var w = w0
var partial = zeros(f32, nin // rows, nhid)
launch layerforward[(1, nin // rows), (nhid, rows)](partial, w, input)

let hidden = [1 / (1 + exp(-sum(partial[b, j] for b in 0:nin // rows) / nin))
              for j in 0:nhid]
print(hidden)

# %% [markdown]
# ## The same by a matrix product
# Sums in another order differ by rounding: in `f32`, about $10^{-7}$ of the sum.
# %% Check
let direct = input @ w0
let error = max([abs(sum(partial[b, j] for b in 0:nin // rows) - direct[j])
                 for j in 0:nhid])
print("largest difference from the matrix product is small:", error < 1e-3)
assert error < 1e-3
