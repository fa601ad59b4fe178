# Diffusion by tiles in shared memory, as it is written for a GPU, and the gradient of what is left behind some steps
const n = 1024
const m = 1024
const side = 16
const steps = 4
const reps = 5

fn clamped(i: int, n: int) -> int = min(max(i, 0), n - 1)
kernel diffuse(next: out f64[n, m], u: f64[n, m]) {
    shared tile: f64[side + 2, side + 2]
    let ty = thread.y
    let tx = thread.x
    let i = block.y * side + ty
    let j = block.x * side + tx
    tile[ty + 1, tx + 1] = u[clamped(i, n), clamped(j, m)]
    if ty == 0 { tile[0, tx + 1] = u[clamped(i - 1, n), clamped(j, m)] }
    if ty == side - 1 { tile[side + 1, tx + 1] = u[clamped(i + 1, n), clamped(j, m)] }
    if tx == 0 { tile[ty + 1, 0] = u[clamped(i, n), clamped(j - 1, m)] }
    if tx == side - 1 { tile[ty + 1, side + 1] = u[clamped(i, n), clamped(j + 1, m)] }
    barrier
    if i < n and j < m {
        let around = tile[ty, tx + 1] + tile[ty + 2, tx + 1] + tile[ty + 1, tx] + tile[ty + 1, tx + 2]
        let here = tile[ty + 1, tx + 1]
        next[i, j] = here + 0.1 * (around - 4 * here) - 0.01 * here * here * here
    }
}
fn left(u: f64[n, m]) -> f64 {
    var cur = u
    var next = zeros(f64, n, m)
    for t in 0:steps {
        launch diffuse[(ceildiv(m, side), ceildiv(n, side)), (side, side)](next, cur)
        let old = cur
        cur = next
        next = old
    }
    return sum(cur^2) / 2
}

var u = [f64((i * m + j) * 7919 % 10007) / 10007.0 for i in 0:n, j in 0:m]
var g = grad(left)(u)
let start = time()
for r in 0:reps {
    u -= 0.1 * g
    g = grad(left)(u)
}
let seconds = (time() - start) / reps
print("check", sum(g))
print("time", seconds)
