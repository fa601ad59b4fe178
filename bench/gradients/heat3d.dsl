# Heat in a block whose conductivity differs from cell to cell: explicit steps by a kernel. Differentiated by the first
# temperatures and by the conductivities.
const n = 6
const steps = 2
const reps = 0

import "measure.dsl"

kernel step(next: out f64[a, b, c], u: f64[a, b, c], k: f64[a, b, c]) {
    let z = block.z * blockdim.z + thread.z
    let y = block.y * blockdim.y + thread.y
    let x = block.x * blockdim.x + thread.x
    if z >= 1 and z < a - 1 and y >= 1 and y < b - 1 and x >= 1 and x < c - 1 {
        let here = u[z, y, x]
        let flow = u[z - 1, y, x] + u[z + 1, y, x] + u[z, y - 1, x] + u[z, y + 1, x] + u[z, y, x - 1] + u[z, y, x + 1] - 6 * here
        next[z, y, x] = here + 0.1 * k[z, y, x] * flow
    }
}
fn cooled(u0: f64[a, b, c], k: f64[a, b, c], steps: int, scale: f64) -> f64 {
    var u = u0
    for t in 0:steps {
        var next = u
        launch step[(ceildiv(c, 32), ceildiv(b, 4), ceildiv(a, 2)), (32, 4, 2)](next, u, k)
        u = next
    }
    return scale * sum(u^2)
}
let gradient = grad(cooled, wrt=(u0, k))

let u = [noise(3, (i * n + j) * n + l) for i in 0:n, j in 0:n, l in 0:n]
let k = [0.5 + noise(4, (i * n + j) * n + l) for i in 0:n, j in 0:n, l in 0:n]
let du = [noise(5, (i * n + j) * n + l) for i in 0:n, j in 0:n, l in 0:n]
let dk = [noise(6, (i * n + j) * n + l) for i in 0:n, j in 0:n, l in 0:n]
let (gu, gk) = gradient(u, k, steps, 1.0)
agree(cooled(u + h * du, k + h * dk, steps, 1.0) - cooled(u - h * du, k - h * dk, steps, 1.0), sum(gu * du) + sum(gk * dk))

var value = 0.0
var g = (gu, gk)
var took = zeros(f64, reps + 1)
for r in 0:reps {
    let start = time()
    value += cooled(u, k, steps, 1.0 + 1e-9 * r)
    took[r + 1] = time() - start
}
report("primal", took)
for r in 0:reps {
    let start = time()
    g = gradient(u, k, steps, 1.0 + 1e-9 * r)
    took[r + 1] = time() - start
}
report("gradient", took)
print(f"check {value:.9g} {sum(g.0^2) + sum(g.1^2):.9g}")
