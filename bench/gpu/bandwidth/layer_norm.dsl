# Layer norm of rows: each less its mean, over its deviation
const rows = 65536
const cols = 1024
const reps = 20

fn layer_norm(x: f32[n, m], scale: f32[m], shift: f32[m]) -> f32[n, m] {
    let mean = [sum(x[i, j] for j in 0:m) / f32(m) for i in 0:n]
    let variance = [sum((x[i, j] - mean[i])^2 for j in 0:m) / f32(m) for i in 0:n]
    return [(x[i, j] - mean[i]) / sqrt(variance[i] + f32(1e-5)) * scale[j] + shift[j] for i in 0:n, j in 0:m]
}

let scale = [1 + f32(j) / f32(cols) for j in 0:cols]
let shift = [f32(j) / f32(cols) for j in 0:cols]
var x = layer_norm([f32((i * cols + j) * 7919 % 10007) / f32(10007) for i in 0:rows, j in 0:cols], scale, shift)
let start = time()
for r in 0:reps { x = layer_norm(x, scale, shift) }
let seconds = (time() - start) / reps
print("check", sum(f64(x) * f64(x)))
print("time", seconds)
print("bytes", 8 * rows * cols)
