# Diffusion around in a ring by tiles in shared memory, whose ends threads at the edges bring, with parameters in an array:
# the gradient by state and parameters of what is left behind some steps
const n = 1024
const m = 1024
const side = 16
const steps = 4
const reps = 5

kernel diffuse(next: out f64[n, m], u: f64[n, m], p: f64[2]) {
    shared tile: f64[side + 2, side + 2]
    let ty = thread.y
    let tx = thread.x
    let i = block.y * side + ty
    let j = block.x * side + tx
    tile[ty + 1, tx + 1] = u[i, j]
    if ty == 0 { tile[0, tx + 1] = u[(i - 1) % n, j] }
    if ty == side - 1 { tile[side + 1, tx + 1] = u[(i + 1) % n, j] }
    if tx == 0 { tile[ty + 1, 0] = u[i, (j - 1) % m] }
    if tx == side - 1 { tile[ty + 1, side + 1] = u[i, (j + 1) % m] }
    barrier
    let around = tile[ty, tx + 1] + tile[ty + 2, tx + 1] + tile[ty + 1, tx] + tile[ty + 1, tx + 2]
    let here = tile[ty + 1, tx + 1]
    next[i, j] = here + p[0] * (around - 4 * here) - p[1] * here * here * here
}
fn left(u: f64[n, m], p: f64[2]) -> f64 {
    var cur = u
    for t in 0:steps {
        var next = cur
        launch diffuse[(m // side, n // side), (side, side)](next, cur, p)
        cur = next
    }
    return sum(cur^2) / 2
}

var u = [f64((i * m + j) * 7919 % 10007) / 10007.0 for i in 0:n, j in 0:m]
var p = [0.1, 0.01]
var g = grad(left)(u, p)
let start = time()
for r in 0:reps {
    u -= 0.1 * g.0
    p -= 1e-9 * g.1
    g = grad(left)(u, p)
}
let seconds = (time() - start) / reps
print("check", sum(g.0) + g.1[0] + g.1[1])
print("time", seconds)
