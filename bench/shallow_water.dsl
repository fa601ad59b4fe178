# One step of the shallow sea of examples/: three kernels on a C-grid
const n = 512
const reps = 20
const g = 9.81
const f = 1.1e-4
const dx = 2500.0
const dy = 2500.0
const dt = 40.0
const drag = 2.0e-6
const viscosity = 40.0

## Elevation from the divergence of the volume flux.  Each face's flux is computed alike by both of its
## cells, so that mass is conserved to rounding.
kernel continuity(next: out f64[ny, nx], eta: f64[ny, nx], depth: f64[ny, nx], u: f64[ny, nx], v: f64[ny, nx]) {
    let i = block.x * blockdim.x + thread.x
    let j = block.y * blockdim.y + thread.y
    if i >= 1 and i < nx - 1 and j >= 1 and j < ny - 1 {
        let here = eta[j, i] + depth[j, i]
        let west = u[j, i] * 0.5 * (eta[j, i - 1] + depth[j, i - 1] + here)
        let east = u[j, i + 1] * 0.5 * (here + (eta[j, i + 1] + depth[j, i + 1]))
        let south = v[j, i] * 0.5 * (eta[j - 1, i] + depth[j - 1, i] + here)
        let north = v[j + 1, i] * 0.5 * (here + (eta[j + 1, i] + depth[j + 1, i]))
        next[j, i] = eta[j, i] - dt * ((east - west) / dx + (north - south) / dy)
    }
}

## Eastward current: Coriolis and vorticity, pressure and kinetic energy, drag, viscosity.
kernel eastward(next: out f64[ny, nx], u: f64[ny, nx], v: f64[ny, nx], eta: f64[ny, nx], wet: f64[ny, nx]) {
    let i = block.x * blockdim.x + thread.x
    let j = block.y * blockdim.y + thread.y
    if i >= 1 and i < nx - 1 and j >= 1 and j < ny - 1 {
        let across = 0.25 * (v[j, i - 1] + v[j, i] + v[j + 1, i - 1] + v[j + 1, i])
        let spin_s = (v[j, i] - v[j, i - 1]) / dx - (u[j, i] - u[j - 1, i]) / dy
        let spin_n = (v[j + 1, i] - v[j + 1, i - 1]) / dx - (u[j + 1, i] - u[j, i]) / dy
        let energy_e = 0.25 * (u[j, i]^2 + u[j, i + 1]^2 + v[j, i]^2 + v[j + 1, i]^2)
        let energy_w = 0.25 * (u[j, i - 1]^2 + u[j, i]^2 + v[j, i - 1]^2 + v[j + 1, i - 1]^2)
        let slope = (g * (eta[j, i] - eta[j, i - 1]) + energy_e - energy_w) / dx
        let spread = (u[j, i + 1] - 2 * u[j, i] + u[j, i - 1]) / dx^2 + (u[j + 1, i] - 2 * u[j, i] + u[j - 1, i]) / dy^2
        let rate = (f + 0.5 * (spin_s + spin_n)) * across - slope - drag * u[j, i] + viscosity * spread
        next[j, i] = wet[j, i] * (u[j, i] + dt * rate)
    }
}

## Northward current, from the new eastward one.
kernel northward(next: out f64[ny, nx], u: f64[ny, nx], v: f64[ny, nx], eta: f64[ny, nx], wet: f64[ny, nx]) {
    let i = block.x * blockdim.x + thread.x
    let j = block.y * blockdim.y + thread.y
    if i >= 1 and i < nx - 1 and j >= 1 and j < ny - 1 {
        let across = 0.25 * (u[j - 1, i] + u[j, i] + u[j - 1, i + 1] + u[j, i + 1])
        let spin_w = (v[j, i] - v[j, i - 1]) / dx - (u[j, i] - u[j - 1, i]) / dy
        let spin_e = (v[j, i + 1] - v[j, i]) / dx - (u[j, i + 1] - u[j - 1, i + 1]) / dy
        let energy_n = 0.25 * (u[j, i]^2 + u[j, i + 1]^2 + v[j, i]^2 + v[j + 1, i]^2)
        let energy_s = 0.25 * (u[j - 1, i]^2 + u[j - 1, i + 1]^2 + v[j - 1, i]^2 + v[j, i]^2)
        let slope = (g * (eta[j, i] - eta[j - 1, i]) + energy_n - energy_s) / dy
        let spread = (v[j, i + 1] - 2 * v[j, i] + v[j, i - 1]) / dx^2 + (v[j + 1, i] - 2 * v[j, i] + v[j - 1, i]) / dy^2
        let rate = -(f + 0.5 * (spin_w + spin_e)) * across - slope - drag * v[j, i] + viscosity * spread
        next[j, i] = wet[j, i] * (v[j, i] + dt * rate)
    }
}

fn sea(i: int, j: int) -> f64 = if i >= 2 and j >= 2 and i < n - 2 and j < n - 2 { 1.0 } else { 0.0 }

let depth = [200.0 * sea(i, j) for j in 0:n, i in 0:n]
let wet_u = [sea(i, j) * sea(i - 1, j) for j in 0:n, i in 0:n]
let wet_v = [sea(i, j) * sea(i, j - 1) for j in 0:n, i in 0:n]
var eta = [f64((j * n + i) * 7919 % 10007) / 10007.0 * sea(i, j) for j in 0:n, i in 0:n]
var u = zeros(f64, n, n)
var v = zeros(f64, n, n)
var eta_next = eta
var u_next = u
var v_next = v
let grid = (ceildiv(n, 32), ceildiv(n, 8))
var start = 0.0
for t in 0:reps + 2 {
    if t == 2 { start = time() }
    launch continuity[grid, (32, 8)](eta_next, eta, depth, u, v)
    launch eastward[grid, (32, 8)](u_next, u, v, eta_next, wet_u)
    launch northward[grid, (32, 8)](v_next, u_next, v, eta_next, wet_v)
    let old_eta = eta
    let old_u = u
    let old_v = v
    eta = eta_next
    u = u_next
    v = v_next
    eta_next = old_eta
    u_next = old_u
    v_next = old_v
}
let seconds = (time() - start) / reps
print("check", sum(eta * eta) + sum(u * u) + sum(v * v))
print("time", seconds)
