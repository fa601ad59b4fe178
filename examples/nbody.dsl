# %% [markdown]
# # Bodies that attract each other
# All pairs, softened, leap-frog.  Total energy should stay where it is.
# %%
const n = 512
const steps = 20
const dt = 1e-3
const soft = 1e-2

kernel kick(vx: inout f64[n], vy: inout f64[n], vz: inout f64[n], x: f64[n], y: f64[n], z: f64[n], m: f64[n], dt: f64) {
    let i = block.x * blockdim.x + thread.x
    if i >= n { return }
    var ax = 0.0
    var ay = 0.0
    var az = 0.0
    for j in 0:n {
        let rx = x[j] - x[i]
        let ry = y[j] - y[i]
        let rz = z[j] - z[i]
        let d2 = rx * rx + ry * ry + rz * rz + soft
        let w = m[j] / (d2 * sqrt(d2))
        ax += w * rx
        ay += w * ry
        az += w * rz
    }
    vx[i] += dt * ax
    vy[i] += dt * ay
    vz[i] += dt * az
}

fn energy(x: f64[n], y: f64[n], z: f64[n], vx: f64[n], vy: f64[n], vz: f64[n], m: f64[n]) -> f64 {
    let kinetic = 0.5 * sum(m * (vx^2 + vy^2 + vz^2))
    let potential = sum(if i < j { m[i] * m[j] / sqrt((x[i] - x[j])^2 + (y[i] - y[j])^2 + (z[i] - z[j])^2 + soft) } else { 0.0 }
                        for i in 0:n, j in 0:n)
    return kinetic - potential
}

let x0 = randn(1, n)
let y0 = randn(2, n)
let z0 = randn(3, n)
var x = x0
var y = y0
var z = z0
var vx = 0.3 * randn(4, n)
var vy = 0.3 * randn(5, n)
var vz = 0.3 * randn(6, n)
let m = full(1.0 / n, n)

let e0 = energy(x, y, z, vx, vy, vz, m)
launch kick[ceildiv(n, 64), 64](vx, vy, vz, x, y, z, m, 0.5 * dt)
for t in 0:steps {
    x += dt * vx
    y += dt * vy
    z += dt * vz
    launch kick[ceildiv(n, 64), 64](vx, vy, vz, x, y, z, m, if t < steps - 1 { dt } else { 0.5 * dt })
}
let e1 = energy(x, y, z, vx, vy, vz, m)
print("energy:", e0, "->", e1)
assert abs(e1 - e0) < 1e-4 * abs(e0)
