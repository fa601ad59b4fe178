# %% [markdown]
# # A rotating shallow sea
# Water of depth `depth` on a rotating plane, on an Arakawa C-grid: the surface elevation `eta` lives in the
# middle of a cell, `u` on its west face, `v` on its south face.  The scheme is forward-backward: first the
# elevation from the old currents, then the currents from the new elevation.
#
# $$\partial_t \eta = -\nabla \cdot \big((h + \eta)\, \mathbf u\big), \qquad
# \partial_t \mathbf u = -(f + \zeta)\, \hat{\mathbf z} \times \mathbf u - \nabla \left(g \eta + \tfrac12 |\mathbf u|^2\right) - r\, \mathbf u + \nu\, \nabla^2 \mathbf u$$
#
# with depth $h$, vorticity $\zeta = \partial_x v - \partial_y u$, drag $r$ and viscosity $\nu$.
#
# A mound of water, one metre high, is let go.  Gravity waves run out from it, a Kelvin wave follows the coast
# with the coast on its right hand, and what remains in the middle turns clockwise, in geostrophic balance.
# %% Constants
const g = 9.81          # m/s^2
const f = 1.1e-4        # 1/s, about 49 degrees north
const dx = 8000.0       # m
const dy = 8000.0
const dt = 120.0        # s
const drag = 2.0e-7     # 1/s
const viscosity = 400.0 # m^2/s
const steps = 4000

# %% [markdown]
# ## One step
# Three kernels, each a thread for each cell.  Each face's flux is computed alike by both of its cells, so
# that mass is conserved to rounding.
# %% Kernels
## Elevation from the divergence of the volume flux
kernel continuity(next: out f64[ny, nx], eta: f64[ny, nx], depth: f64[ny, nx],
                  u: f64[ny, nx], v: f64[ny, nx]) {
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

## Eastward current: Coriolis and vorticity, pressure, kinetic energy, drag, viscosity
kernel eastward(next: out f64[ny, nx], u: f64[ny, nx], v: f64[ny, nx],
                eta: f64[ny, nx], wet: f64[ny, nx], corner: f64[ny, nx]) {
    let i = block.x * blockdim.x + thread.x
    let j = block.y * blockdim.y + thread.y
    if i >= 1 and i < nx - 1 and j >= 1 and j < ny - 1 {
        let across = 0.25 * (v[j, i - 1] + v[j, i] + v[j + 1, i - 1] + v[j + 1, i])
        let spin_s = (v[j, i] - v[j, i - 1]) / dx - (u[j, i] - u[j - 1, i]) / dy
        let spin_n = (v[j + 1, i] - v[j + 1, i - 1]) / dx - (u[j + 1, i] - u[j, i]) / dy
        let energy_e = 0.25 * (u[j, i]^2 + u[j, i + 1]^2 + v[j, i]^2 + v[j + 1, i]^2)
        let energy_w = 0.25 * (u[j, i - 1]^2 + u[j, i]^2
                               + v[j, i - 1]^2 + v[j + 1, i - 1]^2)
        let slope = (g * (eta[j, i] - eta[j, i - 1]) + energy_e - energy_w) / dx
        let spread_x = (u[j, i + 1] - 2 * u[j, i] + u[j, i - 1]) / dx^2
        let spread_y = (u[j + 1, i] - 2 * u[j, i] + u[j - 1, i]) / dy^2
        let turn = f + 0.5 * (corner[j, i] * spin_s + corner[j + 1, i] * spin_n)
        let friction = viscosity * (spread_x + spread_y) - drag * u[j, i]
        let rate = turn * across - slope + friction
        next[j, i] = wet[j, i] * (u[j, i] + dt * rate)
    }
}

## Northward current, from the new eastward one
kernel northward(next: out f64[ny, nx], u: f64[ny, nx], v: f64[ny, nx],
                 eta: f64[ny, nx], wet: f64[ny, nx], corner: f64[ny, nx]) {
    let i = block.x * blockdim.x + thread.x
    let j = block.y * blockdim.y + thread.y
    if i >= 1 and i < nx - 1 and j >= 1 and j < ny - 1 {
        let across = 0.25 * (u[j - 1, i] + u[j, i] + u[j - 1, i + 1] + u[j, i + 1])
        let spin_w = (v[j, i] - v[j, i - 1]) / dx - (u[j, i] - u[j - 1, i]) / dy
        let spin_e = (v[j, i + 1] - v[j, i]) / dx - (u[j, i + 1] - u[j - 1, i + 1]) / dy
        let energy_n = 0.25 * (u[j, i]^2 + u[j, i + 1]^2 + v[j, i]^2 + v[j + 1, i]^2)
        let energy_s = 0.25 * (u[j - 1, i]^2 + u[j - 1, i + 1]^2
                               + v[j - 1, i]^2 + v[j, i]^2)
        let slope = (g * (eta[j, i] - eta[j - 1, i]) + energy_n - energy_s) / dy
        let spread_x = (v[j, i + 1] - 2 * v[j, i] + v[j, i - 1]) / dx^2
        let spread_y = (v[j + 1, i] - 2 * v[j, i] + v[j - 1, i]) / dy^2
        let turn = f + 0.5 * (corner[j, i] * spin_w + corner[j, i + 1] * spin_e)
        let friction = viscosity * (spread_x + spread_y) - drag * v[j, i]
        let rate = -turn * across - slope + friction
        next[j, i] = wet[j, i] * (v[j, i] + dt * rate)
    }
}

# %% What should stay
## Volume above the level of rest, m^3
fn volume(eta: f64[ny, nx]) -> f64 = sum(eta) * dx * dy

## Potential and kinetic energy per unit density, m^5/s^2
fn total_energy(eta: f64[ny, nx], u: f64[ny, nx], v: f64[ny, nx],
                depth: f64[ny, nx]) -> f64 {
    return 0.5 * dx * dy * sum(g * eta^2 + (depth + eta) * (u^2 + v^2))
}

# %% [markdown]
# ## The basin
# Where the depth is 0 there is land, grey in the pictures. A face is open where the cells on both of its sides hold water;
# vorticity counts at corners between four cells of water, so that the coast lets the water slip along it.
# %% Depth and masks
## For pictures: what the sea has, and no number on land
fn at_sea(a: f64[ny, nx], depth: f64[ny, nx]) -> f64[ny, nx] =
    where(depth > 0, a, 0.0 / 0.0)

let depth: f64[ny, nx] = load("data/bathymetry.npy")
let x = [i * dx / 1000 for i in 0:nx]
let y = [j * dy / 1000 for j in 0:ny]
let water = [if depth[j, i] > 0 { 1.0 } else { 0.0 } for j in 0:ny, i in 0:nx]
let wet_u = [if i >= 1 { water[j, i] * water[j, max(i - 1, 0)] } else { 0.0 }
             for j in 0:ny, i in 0:nx]
let wet_v = [if j >= 1 { water[j, i] * water[max(j - 1, 0), i] } else { 0.0 }
             for j in 0:ny, i in 0:nx]
let corner = [if i >= 1 and j >= 1 {
                  wet_u[j, i] * wet_u[max(j - 1, 0), i]
              } else { 0.0 } for j in 0:ny, i in 0:nx]
image("depth.png", x, y, at_sea(depth, depth), title="depth (m)",
      xlabel="x (km)", ylabel="y (km)", equal=true)

# %% [markdown]
# ## The run
# %% Time steps
var eta = [water[j, i] * exp(-((i - 0.52 * nx)^2 + (j - 0.45 * ny)^2) / 45.0^2)
           for j in 0:ny, i in 0:nx]
var u = zeros(f64, ny, nx)
var v = zeros(f64, ny, nx)
var eta_next = eta
var u_next = u
var v_next = v

print("basin of", nx, "x", ny, "cells, deepest", max(depth), "m;",
      steps, "steps of", dt, "s")
let volume_0 = volume(eta)
let energy_0 = total_energy(eta, u, v, depth)

let grid = (ceildiv(nx, 32), ceildiv(ny, 8))
for t in progress(0:steps) {
    launch continuity[grid, (32, 8)](eta_next, eta, depth, u, v)
    launch eastward[grid, (32, 8)](u_next, u, v, eta_next, wet_u, corner)
    launch northward[grid, (32, 8)](v_next, u_next, v, eta_next, wet_v, corner)
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

# %% [markdown]
# ## What is left
# Volume is conserved to rounding, energy only leaves, through drag and viscosity.
# %% Conservation {absolute=1e-12}
let volume_1 = volume(eta)
let energy_1 = total_energy(eta, u, v, depth)
print(f"hours: {steps * dt / 3600:.2f}")
let gained = (volume_1 - volume_0) / volume_0
let fastest = sqrt(max(u^2 + v^2))
print(f"volume: {volume_0:.6e} -> {volume_1:.6e}  relative change {gained:.1e}")
print(f"energy: {energy_0:.6e} -> {energy_1:.6e}  kept {energy_1 / energy_0:.4f}")
print(f"highest {max(eta):.3f} m, lowest {min(eta):.3f} m, fastest {fastest:.3f} m/s")
assert abs(gained) < 1e-12 * steps, "mass is conserved to rounding"
assert energy_1 < energy_0, "energy only leaves"

# %% [markdown]
# The mound has become an anticyclone: clockwise flow around what is left of it.
# %% Pictures
# Relative vorticity at the south-west corner of each cell, in units of f
let vorticity = [if i >= 1 and j >= 1 {
    corner[j, i] * ((v[j, i] - v[j, max(i - 1, 0)]) / dx
                    - (u[j, i] - u[max(j - 1, 0), i]) / dy) / f
} else { 0.0 } for j in 0:ny, i in 0:nx]

image("height.png", x, y, at_sea(eta, depth), title="surface elevation (m)",
      xlabel="x (km)", ylabel="y (km)", colors="diverging", equal=true)
image("vorticity.png", x, y, at_sea(vorticity, depth), title="relative vorticity / f",
      xlabel="x (km)", ylabel="y (km)", colors="diverging", equal=true)
save("eta.npy", eta)
save("u.npy", u)
save("v.npy", v)
