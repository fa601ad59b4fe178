# Lattice Boltzmann D2Q9: a lid-driven cavity, collision and streaming in one kernel, bounce-back at the walls
const n = 384
const reps = 20
const omega = 1.2
const lid = 0.1

kernel step(next: out f64[9, ny, nx], f: f64[9, ny, nx]) {
    let x = block.x * blockdim.x + thread.x
    let y = block.y * blockdim.y + thread.y
    if x >= 1 and x < nx - 1 and y >= 1 and y < ny - 1 {
        let f0 = f[0, y, x]
        let f1 = f[1, y, x - 1]
        let f2 = f[2, y - 1, x]
        let f3 = f[3, y, x + 1]
        let f4 = f[4, y + 1, x]
        let f5 = f[5, y - 1, x - 1]
        let f6 = f[6, y - 1, x + 1]
        let f7 = f[7, y + 1, x + 1]
        let f8 = f[8, y + 1, x - 1]
        let rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8
        let ux = (f1 + f5 + f8 - f3 - f6 - f7) / rho
        let uy = (f2 + f5 + f6 - f4 - f7 - f8) / rho
        let base = 1.0 - 1.5 * (ux * ux + uy * uy)
        let p = ux + uy
        let m = uy - ux
        next[0, y, x] = f0 + omega * (4.0 / 9.0 * rho * base - f0)
        next[1, y, x] = f1 + omega * (1.0 / 9.0 * rho * (base + 3.0 * ux + 4.5 * ux * ux) - f1)
        next[2, y, x] = f2 + omega * (1.0 / 9.0 * rho * (base + 3.0 * uy + 4.5 * uy * uy) - f2)
        next[3, y, x] = f3 + omega * (1.0 / 9.0 * rho * (base - 3.0 * ux + 4.5 * ux * ux) - f3)
        next[4, y, x] = f4 + omega * (1.0 / 9.0 * rho * (base - 3.0 * uy + 4.5 * uy * uy) - f4)
        next[5, y, x] = f5 + omega * (1.0 / 36.0 * rho * (base + 3.0 * p + 4.5 * p * p) - f5)
        next[6, y, x] = f6 + omega * (1.0 / 36.0 * rho * (base + 3.0 * m + 4.5 * m * m) - f6)
        next[7, y, x] = f7 + omega * (1.0 / 36.0 * rho * (base - 3.0 * p + 4.5 * p * p) - f7)
        next[8, y, x] = f8 + omega * (1.0 / 36.0 * rho * (base - 3.0 * m + 4.5 * m * m) - f8)
    }
}

## The populations at the walls are those of a fluid at rest, at the lid of one that moves with it
fn start_state() -> f64[9, n, n] {
    let w = [4.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36]
    let cx = [0.0, 1.0, 0.0, -1.0, 0.0, 1.0, -1.0, -1.0, 1.0]
    return [w[q] * (1 + (if y == n - 1 { 3 * cx[q] * lid } else { 0.0 })) for q in 0:9, y in 0:n, x in 0:n]
}

var f = start_state()
var g = f
let grid = (ceildiv(n, 32), ceildiv(n, 8))
var start = 0.0
for t in 0:reps + 1 {
    if t == 1 { start = time() }
    launch step[grid, (32, 8)](g, f)
    let old = f
    f = g
    g = old
}
let seconds = (time() - start) / reps
print("check", sum(f), sum(f[1] - f[3]), f[5, n - 2, n // 2])
print("time", seconds)
