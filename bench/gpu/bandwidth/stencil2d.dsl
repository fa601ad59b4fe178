# Five-point stencil on a plane, by a kernel
const n = 8192
const reps = 20

kernel step(next: out f64[n, m], u: f64[n, m]) {
    let y = block.y * blockdim.y + thread.y
    let x = block.x * blockdim.x + thread.x
    if y >= 1 and y < n - 1 and x >= 1 and x < m - 1 {
        next[y, x] = u[y, x] + 0.2 * (u[y - 1, x] + u[y + 1, x] + u[y, x - 1] + u[y, x + 1] - 4 * u[y, x])
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

let u0 = run([f64((i * n + j) * 7919 % 10007) / 10007.0 for i in 0:n, j in 0:n], 4)
let start = time()
let u = run(u0, reps)
let seconds = (time() - start) / reps
print("check", sum(u))
print("time", seconds)
print("bytes", 16 * n * n)
