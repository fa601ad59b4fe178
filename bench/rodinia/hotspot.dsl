# Rodinia's hotspot: heat on a chip.  Tiles in shared memory advance `height` steps at a time: a pyramid whose base is
# larger by a border that neighbours compute too.
# small: rows=36 cols=43 steps=3
import "inputs.dsl"
const rows = 1024
const cols = 1024
const steps = 20
const height = 2
const side = 16

kernel advance(next: out f32[n, m], temp: f32[n, m], power: f32[n, m], iterations: int, cap: f32, rx: f32, ry: f32, rz: f32) {
    shared old: f32[side, side]
    shared heat: f32[side, side]
    shared new: f32[side, side]
    let ambient: f32 = 80
    let tx = thread.x
    let ty = thread.y
    let y0 = (side - 2 * iterations) * block.y - height
    let x0 = (side - 2 * iterations) * block.x - height
    let y = y0 + ty
    let x = x0 + tx
    if y >= 0 and y < n and x >= 0 and x < m {
        old[ty, tx] = temp[y, x]
        heat[ty, tx] = power[y, x]
    }
    barrier
    # the part of the tile that lies on the chip
    let first_y = max(-y0, 0)
    let last_y = min(side - 1, n - 1 - y0)
    let first_x = max(-x0, 0)
    let last_x = min(side - 1, m - 1 - x0)
    let north = max(ty - 1, first_y)
    let south = min(ty + 1, last_y)
    let west = max(tx - 1, first_x)
    let east = min(tx + 1, last_x)
    var computed = false
    for i in 0:iterations {
        computed = tx >= i + 1 and tx <= side - i - 2 and ty >= i + 1 and ty <= side - i - 2 and tx >= first_x and tx <= last_x and ty >= first_y and ty <= last_y
        if computed {
            new[ty, tx] = old[ty, tx] + cap * (heat[ty, tx] + (old[south, tx] + old[north, tx] - 2 * old[ty, tx]) * ry + (old[ty, east] + old[ty, west] - 2 * old[ty, tx]) * rx + (ambient - old[ty, tx]) * rz)
        }
        barrier
        if computed and i < iterations - 1 { old[ty, tx] = new[ty, tx] }
        barrier
    }
    if computed { next[y, x] = new[ty, tx] }
}

fn simulate(temp: f32[n, m], power: f32[n, m], steps: int) -> f32[n, m] {
    let dy = f32(0.016) / f32(n)
    let dx = f32(0.016) / f32(m)
    let cap = f32(437.5) * dx * dy
    let rx = dx / (f32(0.1) * dy)
    let ry = dy / (f32(0.1) * dx)
    let rz = f32(0.0005) / (100 * dx * dy)
    let step = f32(1.4583e-7)
    var cur = temp
    var next = temp
    for t in 0:steps:height {
        let iterations = min(height, steps - t)
        let inner = side - 2 * height
        launch advance[(ceildiv(m, inner), ceildiv(n, inner)), (side, side)](next, cur, power, iterations, step / cap, 1 / rx, 1 / ry, 1 / rz)
        let old = cur
        cur = next
        next = old
    }
    return cur
}

let temp = [323 + 10 * fraction(i * cols + j, 7919, 10007) for i in 0:rows, j in 0:cols]
let power = [fraction(i * cols + j, 7877, 10009) / 500 for i in 0:rows, j in 0:cols]
let warm = simulate(temp, power, height)
let start = time()
let t = simulate(temp, power, steps)
let seconds = time() - start
print("check", sum(f64(t)), weighted(t), t[rows // 2, cols // 3])
print("time", seconds)
