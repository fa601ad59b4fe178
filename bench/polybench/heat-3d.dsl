# Heat in a cube, as a kernel
# small: n=9 steps=3
import "report.dsl"
const n = 120
const steps = 20

kernel half_step(next: out f64[m, m, m], u: f64[m, m, m]) {
    let k = block.x * blockdim.x + thread.x
    let j = block.y * blockdim.y + thread.y
    let i = block.z * blockdim.z + thread.z
    if i >= 1 and i < m - 1 and j >= 1 and j < m - 1 and k >= 1 and k < m - 1 {
        next[i, j, k] = (0.125 * (u[i + 1, j, k] - 2 * u[i, j, k] + u[i - 1, j, k])
                       + 0.125 * (u[i, j + 1, k] - 2 * u[i, j, k] + u[i, j - 1, k])
                       + 0.125 * (u[i, j, k + 1] - 2 * u[i, j, k] + u[i, j, k - 1]) + u[i, j, k])
    }
}

var a = [f64(i + j + (n - k)) * 10 / n for i in 0:n, j in 0:n, k in 0:n]
var b = a
let start = time()
for t in 0:steps {
    launch half_step[(ceildiv(n, 32), ceildiv(n, 4), ceildiv(n, 2)), (32, 4, 2)](b, a)
    launch half_step[(ceildiv(n, 32), ceildiv(n, 4), ceildiv(n, 2)), (32, 4, 2)](a, b)
}
print("time", time() - start)
report(a)
report(b)
