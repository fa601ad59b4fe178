# A rotating shallow sea on a C-grid, three kernels a step. Differentiated by the first elevation and the depth.
const n = 10
const steps = 2
const reps = 0
const g = 9.81
const f = 1.1e-4
const dx = 2500.0
const dy = 2500.0
const dt = 40.0
const drag = 2.0e-6
const viscosity = 40.0

import "measure.dsl"

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
fn energy(eta0: f64[ny, nx], depth: f64[ny, nx], wet_u: f64[ny, nx], wet_v: f64[ny, nx], steps: int, scale: f64) -> f64 {
    let grid = (ceildiv(nx, 32), ceildiv(ny, 8))
    var eta = eta0
    var u = zeros(f64, ny, nx)
    var v = zeros(f64, ny, nx)
    for t in 0:steps {
        var eta_next = eta
        var u_next = u
        var v_next = v
        launch continuity[grid, (32, 8)](eta_next, eta, depth, u, v)
        launch eastward[grid, (32, 8)](u_next, u, v, eta_next, wet_u)
        launch northward[grid, (32, 8)](v_next, u_next, v, eta_next, wet_v)
        eta = eta_next
        u = u_next
        v = v_next
    }
    return scale * (g * sum(eta^2) + sum(depth * (u^2 + v^2)))
}
let gradient = grad(energy, wrt=(eta0, depth))

fn sea(i: int, j: int) -> f64 = if i >= 2 and j >= 2 and i < n - 2 and j < n - 2 { 1.0 } else { 0.0 }
let depth = [(200.0 + noise(1, j * n + i)) * sea(i, j) for j in 0:n, i in 0:n]
let wet_u = [sea(i, j) * sea(i - 1, j) for j in 0:n, i in 0:n]
let wet_v = [sea(i, j) * sea(i, j - 1) for j in 0:n, i in 0:n]
let eta = [noise(2, j * n + i) * sea(i, j) for j in 0:n, i in 0:n]
let de = [noise(3, j * n + i) for j in 0:n, i in 0:n]
let dd = [noise(4, j * n + i) for j in 0:n, i in 0:n]
let (ge, gd) = gradient(eta, depth, wet_u, wet_v, steps, 1.0)
agree(energy(eta + h * de, depth + h * dd, wet_u, wet_v, steps, 1.0) - energy(eta - h * de, depth - h * dd, wet_u, wet_v, steps, 1.0),
    sum(ge * de) + sum(gd * dd))

var value = 0.0
var found = (ge, gd)
var took = zeros(f64, reps + 1)
for r in 0:reps {
    let start = time()
    value += energy(eta, depth, wet_u, wet_v, steps, 1.0 + 1e-9 * r)
    took[r + 1] = time() - start
}
report("primal", took)
for r in 0:reps {
    let start = time()
    found = gradient(eta, depth, wet_u, wet_v, steps, 1.0 + 1e-9 * r)
    took[r + 1] = time() - start
}
report("gradient", took)
print(f"check {value:.9g} {sum(found.0^2) + sum(found.1^2):.9g}")
