# Rodinia's backprop: one step of training of a network with one hidden layer.  The two kernels work on the weights
# between inputs and hidden units; row 0 and column 0 belong to the thresholds.
# small: nin=64 nhid=16
import "inputs.dsl"
const nin = 65536
const nhid = 16
const height = 16

const eta: f32 = 0.3
const momentum: f32 = 0.3

kernel layerforward(partial: out f32[nblocks, width], weights: inout f32[in1, hid1], input: f32[in1]) {
    shared node: f32[height]
    shared matrix: f32[height, nhid]
    let by = block.y
    let tx = thread.x
    let ty = thread.y
    let row = height * by + ty + 1
    if tx == 0 { node[ty] = input[row] }
    barrier
    matrix[ty, tx] = weights[row, tx + 1]
    barrier
    matrix[ty, tx] = matrix[ty, tx] * node[ty]
    barrier
    for i in 1:5 {
        let power = 1 << i
        if ty % power == 0 { matrix[ty, tx] = matrix[ty, tx] + matrix[ty + power // 2, tx] }
        barrier
    }
    weights[row, tx + 1] = matrix[ty, tx]
    barrier
    if tx == 0 { partial[by, ty] = matrix[tx, ty] }
}

kernel adjust_weights(w: inout f32[in1, hid1], oldw: inout f32[in1, hid1], delta: f32[hid1], layer: f32[in1]) {
    let tx = thread.x
    let ty = thread.y
    let row = height * block.y + ty + 1
    let x = tx + 1
    let change = eta * delta[x] * layer[row] + momentum * oldw[row, x]
    w[row, x] += change
    oldw[row, x] = change
    barrier
    if ty == 0 and block.y == 0 {
        let threshold = eta * delta[x] + momentum * oldw[0, x]
        w[0, x] += threshold
        oldw[0, x] = threshold
    }
}

fn squash(x: f32) -> f32 = 1 / (1 + exp(-x))

struct Network { input: f32[nin + 1], w1: f32[nin + 1, nhid + 1], old1: f32[nin + 1, nhid + 1], w2: f32[nhid + 1], old2: f32[nhid + 1] }

## One step towards `target`; the network and the error before it
fn train(start: Network, target: f32) -> (Network, f32) {
    var net = start
    let blocks = nin // height
    # the kernel spoils the weights that it is given: a copy, as on the way to the device
    var _spoilt = net.w1
    var partial = zeros(f32, blocks, nhid)
    launch layerforward[(1, blocks), (nhid, height)](partial, _spoilt, net.input)
    let sums = sum(partial, axis=0)
    let hidden = [if j == 0 { 1 } else { squash(net.w1[0, j] + sums[j - 1]) } for j in 0:nhid + 1]
    let output = squash(sum(net.w2[j] * hidden[j] for j in 0:nhid + 1))
    let delta_out = output * (1 - output) * (target - output)
    let delta = [hidden[j] * (1 - hidden[j]) * (delta_out * net.w2[j]) for j in 0:nhid + 1]
    let change = eta * delta_out * hidden + momentum * net.old2
    net.w2 += change
    net.old2 = change
    launch adjust_weights[(1, blocks), (nhid, height)](net.w1, net.old1, delta, net.input)
    return (net, abs(delta_out))
}

let input = [if i == 0 { 1 } else { fraction(i, 7919, 10007) } for i in 0:nin + 1]
let w1 = [(fraction(i * (nhid + 1) + j, 7877, 10009) - 0.5) / 100 for i in 0:nin + 1, j in 0:nhid + 1]
let old1 = [(fraction(i * (nhid + 1) + j, 7919, 10007) - 0.5) / 1000 for i in 0:nin + 1, j in 0:nhid + 1]
let w2 = [fraction(j, 7919, 10007) - 0.5 for j in 0:nhid + 1]
let net = Network(input, w1, old1, w2, zeros(f32, nhid + 1))
let (warm, warm_error) = train(net, 0.1)
let start = time()
let (trained, error) = train(warm, 0.1)
let seconds = time() - start
print("check", error, sum(f64(trained.w1)), weighted(trained.w1), weighted(trained.old1), weighted(trained.w2))
print("time", seconds)
