# A convolution layer: 32 channels to 32, 3 by 3, bias and ReLU
const channels = 32
const side = 112

fn layer(x: f32[ci, h, w], weight: f32[co, ci, 3, 3], bias: f32[co]) -> f32[co, h - 2, w - 2] =
    [max(bias[o] + sum(weight[o, c, p, q] * x[c, i + p, j + q] for c in 0:ci, p in 0:3, q in 0:3), f32(0))
        for o in 0:co, i in 0:h - 2, j in 0:w - 2]

let x = [f32(f64(((c * side) + i) * side + j) * 7919 % 10007 / 10007 - 0.5) for c in 0:channels, i in 0:side, j in 0:side]
let weight = [f32(f64((((o * channels + c) * 3 + p) * 3 + q) * 104729 % 1009) / 1009 - 0.5)
    for o in 0:channels, c in 0:channels, p in 0:3, q in 0:3]
let bias = [f32(o) / 64 for o in 0:channels]
let warm = layer(x, weight, -bias)
print("warm", sum(f64(warm)))
let start = time()
let y = layer(x, weight, bias)
let seconds = time() - start
print("check", sum(f64(y)), max(y))
print("time", seconds)
