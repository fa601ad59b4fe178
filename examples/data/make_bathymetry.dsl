# Makes examples/data/bathymetry.npy: depth in metres of an invented shelf sea, 0 on land.
#   cd examples/data && dslc run make_bathymetry.dsl
# A basin that deepens eastwards, a bay, a bank, a trench, islands, and smooth noise from Philox.

const nx = 320
const ny = 240

## Smooth step from 0 at a to 1 at b
fn ramp(x: f64, a: f64, b: f64) -> f64 {
    let t = min(max((x - a) / (b - a), 0.0), 1.0)
    return t * t * (3 - 2 * t)
}

## A round hill of height 1
fn hill(x: f64, y: f64, cx: f64, cy: f64, r: f64) -> f64 = exp(-((x - cx)^2 + (y - cy)^2) / (r * r))

## Noise that is smooth between lattice points k apart (value noise)
fn noise(seed: int, x: f64, y: f64, k: f64) -> f64 {
    let i = int(floor(x / k))
    let j = int(floor(y / k))
    let tx = ramp(x / k - i, 0.0, 1.0)
    let ty = ramp(y / k - j, 0.0, 1.0)
    let a = uniform(seed, 1000 * j + i)
    let b = uniform(seed, 1000 * j + i + 1)
    let c = uniform(seed, 1000 * (j + 1) + i)
    let d = uniform(seed, 1000 * (j + 1) + i + 1)
    return (a * (1 - tx) + b * tx) * (1 - ty) + (c * (1 - tx) + d * tx) * ty - 0.5
}

fn depth_at(i: int, j: int) -> f64 {
    let x = f64(i) / nx
    let y = f64(j) / ny
    let rough = 34 * noise(1, f64(i), f64(j), 40.0) + 16 * noise(2, f64(i), f64(j), 17.0) + 6 * noise(3, f64(i), f64(j), 7.0)
    let edge = min(ramp(x, 0.02, 0.16), ramp(1 - x, 0.02, 0.10)) * min(ramp(y, 0.02, 0.14), ramp(1 - y, 0.02, 0.14))
    var d = -22 + edge * (75 + 45 * ramp(x, 0.2, 0.8)) + rough * (0.35 + 0.65 * edge)
    d += 35 * hill(x, y, 0.62, 0.30, 0.16)                  # a trench
    d -= 55 * hill(x, y, 0.42, 0.68, 0.09)                  # a bank
    d -= 130 * hill(x, y, 0.70, 0.72, 0.045)                # an island
    d -= 110 * hill(x, y, 0.24, 0.36, 0.035)                # a smaller one
    let border = i < 2 or j < 2 or i >= nx - 2 or j >= ny - 2
    return if border or d < 6 { 0.0 } else { d }
}

let depth = [depth_at(i, j) for j in 0:ny, i in 0:nx]
print("deepest:", max(depth), "m; water:", sum(where(depth > 0, 1.0, 0.0)) / (nx * ny))
save("bathymetry.npy", depth)
