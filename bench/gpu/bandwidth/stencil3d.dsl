# Seven-point stencil in space, as a parallel loop
const n = 400
const reps = 20

fn run(u0: f64[n, m, k], steps: int) -> f64[n, m, k] {
    var u = u0
    var next = u0
    for t in 0:steps {
        parallel for z in 1:n - 1, y in 1:m - 1, x in 1:k - 1 {
            next[z, y, x] = 0.4 * u[z, y, x] + 0.1 * (u[z - 1, y, x] + u[z + 1, y, x] + u[z, y - 1, x] + u[z, y + 1, x]
                                                      + u[z, y, x - 1] + u[z, y, x + 1])
        }
        let old = u
        u = next
        next = old
    }
    return u
}

let u0 = run([f64(((i * n + j) * n + k) * 7919 % 10007) / 10007.0 for i in 0:n, j in 0:n, k in 0:n], 4)
let start = time()
let u = run(u0, reps)
let seconds = (time() - start) / reps
print("check", sum(u))
print("time", seconds)
print("bytes", 16 * n^3)
