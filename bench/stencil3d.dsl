# Seven-point stencil in space, by a kernel
const n = 160
const reps = 20

kernel step(next: out f64[n, m, k], u: f64[n, m, k]) {
    let z = block.z * blockdim.z + thread.z
    let y = block.y * blockdim.y + thread.y
    let x = block.x * blockdim.x + thread.x
    if z >= 1 and z < n - 1 and y >= 1 and y < m - 1 and x >= 1 and x < k - 1 {
        next[z, y, x] = 0.4 * u[z, y, x] + 0.1 * (u[z - 1, y, x] + u[z + 1, y, x] + u[z, y - 1, x] + u[z, y + 1, x]
                                                  + u[z, y, x - 1] + u[z, y, x + 1])
    }
}

fn run(u0: f64[n, m, k], steps: int) -> f64[n, m, k] {
    var u = u0
    var next = u0
    for t in 0:steps {
        launch step[(ceildiv(k, 32), ceildiv(m, 4), ceildiv(n, 2)), (32, 4, 2)](next, u)
        let old = u
        u = next
        next = old
    }
    return u
}

let u0 = run([f64(((i * n + j) * n + k) * 7919 % 10007) / 10007.0 for i in 0:n, j in 0:n, k in 0:n], 2)
let start = time()
let u = run(u0, reps)
let seconds = (time() - start) / reps
print("check", sum(u))
print("time", seconds)
