# Five-point stencil on a plane, by a kernel
const n = 2000
const reps = 20

kernel step(next: out f64[n, m], u: f64[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i >= 1 and i < n - 1 and j >= 1 and j < m - 1 {
        next[i, j] = u[i, j] + 0.2 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4 * u[i, j])
    }
}

fn run(u0: f64[n, m], steps: int) -> f64[n, m] {
    var u = u0
    var next = u0
    for t in 0:steps {
        launch step[(ceildiv(m, 32), ceildiv(n, 8)), (32, 8)](next, u)
        let old = u
        u = next
        next = old
    }
    return u
}

let u0 = run([f64((i * n + j) * 7919 % 10007) / 10007.0 for i in 0:n, j in 0:n], 2)
let start = time()
let u = run(u0, reps)
let seconds = (time() - start) / reps
print("check", sum(u))
print("time", seconds)
