# Lattice Boltzmann, D2Q9, one relaxation time: each thread pulls what flows to its cell, and lets it collide. What is solid
# sends it back. Differentiated by the first populations and by the relaxation rate of each cell.
const n = 8
const steps = 2
const reps = 0

import "measure.dsl"

## The directions: rest, east, north, west, south, and between them
fn east(q: int) -> int = [0, 1, 0, -1, 0, 1, -1, -1, 1][q]
fn north(q: int) -> int = [0, 0, 1, 0, -1, 1, 1, -1, -1][q]

fn settled(weight: f64, rho: f64, along: f64, speed2: f64) -> f64 = weight * rho * (1 + 3 * along + 4.5 * along^2 - 1.5 * speed2)

kernel step(next: out f64[9, ny, nx], f: f64[9, ny, nx], rate: f64[ny, nx], solid: bool[ny, nx]) {
    let i = block.x * blockdim.x + thread.x
    let j = block.y * blockdim.y + thread.y
    if i >= 1 and i < nx - 1 and j >= 1 and j < ny - 1 {
        let f0 = f[0, j, i]
        let f1 = f[1, j, i - 1]
        let f2 = f[2, j - 1, i]
        let f3 = f[3, j, i + 1]
        let f4 = f[4, j + 1, i]
        let f5 = f[5, j - 1, i - 1]
        let f6 = f[6, j - 1, i + 1]
        let f7 = f[7, j + 1, i + 1]
        let f8 = f[8, j + 1, i - 1]
        if solid[j, i] {
            next[0, j, i] = f0
            next[1, j, i] = f3
            next[2, j, i] = f4
            next[3, j, i] = f1
            next[4, j, i] = f2
            next[5, j, i] = f7
            next[6, j, i] = f8
            next[7, j, i] = f5
            next[8, j, i] = f6
        } else {
            let rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8
            let u = (f1 + f5 + f8 - f3 - f6 - f7) / rho
            let v = (f2 + f5 + f6 - f4 - f7 - f8) / rho
            let s = u^2 + v^2
            let w = rate[j, i]
            next[0, j, i] = f0 + w * (settled(4 / 9.0, rho, 0, s) - f0)
            next[1, j, i] = f1 + w * (settled(1 / 9.0, rho, u, s) - f1)
            next[2, j, i] = f2 + w * (settled(1 / 9.0, rho, v, s) - f2)
            next[3, j, i] = f3 + w * (settled(1 / 9.0, rho, -u, s) - f3)
            next[4, j, i] = f4 + w * (settled(1 / 9.0, rho, -v, s) - f4)
            next[5, j, i] = f5 + w * (settled(1 / 36.0, rho, u + v, s) - f5)
            next[6, j, i] = f6 + w * (settled(1 / 36.0, rho, v - u, s) - f6)
            next[7, j, i] = f7 + w * (settled(1 / 36.0, rho, -u - v, s) - f7)
            next[8, j, i] = f8 + w * (settled(1 / 36.0, rho, u - v, s) - f8)
        }
    }
}
fn misfit(f0: f64[9, ny, nx], rate: f64[ny, nx], solid: bool[ny, nx], steps: int, scale: f64) -> f64 {
    var f = f0
    for t in 0:steps {
        var next = f
        launch step[(ceildiv(nx, 32), ceildiv(ny, 8)), (32, 8)](next, f, rate, solid)
        f = next
    }
    return scale * sum((sum(f[q, j, i] * east(q) for q in 0:9))^2 for j in 0:ny, i in 0:nx)
}
let gradient = grad(misfit, wrt=(f0, rate))

let f = [(if q == 0 { 4 / 9.0 } else { if q < 5 { 1 / 9.0 } else { 1 / 36.0 } }) * (1 + 0.1 * noise(q, j * n + i)) for q in 0:9, j in 0:n, i in 0:n]
let rate = [1.0 + 0.2 * noise(10, j * n + i) for j in 0:n, i in 0:n]
let solid = [(j - n // 2)^2 + (i - n // 4)^2 < n^2 // 64 for j in 0:n, i in 0:n]
let df = [0.1 * noise(11 + q, j * n + i) for q in 0:9, j in 0:n, i in 0:n]
let dr = [noise(21, j * n + i) for j in 0:n, i in 0:n]
let (gf, gr) = gradient(f, rate, solid, steps, 1.0)
agree(misfit(f + h * df, rate + h * dr, solid, steps, 1.0) - misfit(f - h * df, rate - h * dr, solid, steps, 1.0), sum(gf * df) + sum(gr * dr))

var value = 0.0
var found = (gf, gr)
var took = zeros(f64, reps + 1)
for r in 0:reps {
    let start = time()
    value += misfit(f, rate, solid, steps, 1.0 + 1e-9 * r)
    took[r + 1] = time() - start
}
report("primal", took)
for r in 0:reps {
    let start = time()
    found = gradient(f, rate, solid, steps, 1.0 + 1e-9 * r)
    took[r + 1] = time() - start
}
report("gradient", took)
print(f"check {value:.9g} {sum(found.0^2) + sum(found.1^2):.9g}")
