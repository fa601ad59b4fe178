# Rodinia's hotspot3D: heat in a chip of several layers.  A thread walks up a column and keeps three values of it.
# small: n=64 m=8 layers=4 steps=3
import "inputs.dsl"
const n = 512
const m = 512
const layers = 8
const steps = 20

kernel advance(next: out f32[z, y, x], t: f32[z, y, x], power: f32[z, y, x], ce: f32, cw: f32, cn: f32, cs: f32, ct: f32, cb: f32, cc: f32, ch: f32) {
    let ambient: f32 = 80
    let i = blockdim.x * block.x + thread.x
    let j = blockdim.y * block.y + thread.y
    let w = if i == 0 { i } else { i - 1 }
    let e = if i == x - 1 { i } else { i + 1 }
    let n = if j == 0 { j } else { j - 1 }
    let s = if j == y - 1 { j } else { j + 1 }
    var below = t[0, j, i]
    var here = t[0, j, i]
    var above = t[1, j, i]
    next[0, j, i] = cc * here + cw * t[0, j, w] + ce * t[0, j, e] + cs * t[0, s, i] + cn * t[0, n, i] + cb * below + ct * above + ch * power[0, j, i] + ct * ambient
    for k in 1:z - 1 {
        below = here
        here = above
        above = t[k + 1, j, i]
        next[k, j, i] = cc * here + cw * t[k, j, w] + ce * t[k, j, e] + cs * t[k, s, i] + cn * t[k, n, i] + cb * below + ct * above + ch * power[k, j, i] + ct * ambient
    }
    below = here
    here = above
    next[z - 1, j, i] = cc * here + cw * t[z - 1, j, w] + ce * t[z - 1, j, e] + cs * t[z - 1, s, i] + cn * t[z - 1, n, i] + cb * below + ct * above + ch * power[z - 1, j, i] + ct * ambient
}

fn simulate(start: f32[z, y, x], power: f32[z, y, x], steps: int) -> f32[z, y, x] {
    let dx = f32(0.016) / f32(y)
    let dy = f32(0.016) / f32(x)
    let dz = f32(0.0005) / f32(z)
    let cap = f32(437.5) * dx * dy
    let step = f32(1.4583e-7)
    let ce = step / cap / (dy / (f32(0.1) * dx))
    let cn = step / cap / (dx / (f32(0.1) * dy))
    let ct = step / cap / (dz / (100 * dx * dy))
    let cc = 1 - (2 * ce + 2 * cn + 3 * ct)
    var t = start
    var next = start
    for k in 0:steps {
        launch advance[(x // 64, y // 4), (64, 4)](next, t, power, ce, ce, cn, cn, ct, ct, cc, step / cap)
        let old = t
        t = next
        next = old
    }
    return t
}

let temp = [323 + 10 * fraction((k * m + i) * n + j, 7919, 10007) for k in 0:layers, i in 0:m, j in 0:n]
let power = [fraction((k * m + i) * n + j, 7877, 10009) / 500 for k in 0:layers, i in 0:m, j in 0:n]
let warm = simulate(temp, power, 2)
let start = time()
let t = simulate(temp, power, steps)
let seconds = time() - start
print("check", sum(f64(t)), weighted(reshape(t, layers * m * n)), t[layers // 2, m // 2, n // 3])
print("time", seconds)
