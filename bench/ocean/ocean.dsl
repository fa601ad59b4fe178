# An ocean in a box that goes around in x and y: hydrostatic Boussinesq equations on a staggered (C-) grid with a free surface,
# written with whole arrays, as Oceananigans' HydrostaticFreeSurfaceModel.  Velocities u, v stand on the west and south faces of cells, w on
# their bottoms; temperature T and salinity S in their middles.  Advection in flux form: tracers third-order upwind, momentum second-order
# centred; hydrostatic pressure, Coriolis, viscosity and diffusion, wind and heat at the surface, drag at the bottom; quasi-second-order
# Adams-Bashforth steps; the free surface is split off and goes in shorter steps of its own, over two steps, whose mean it takes.
# Differentiated by the first temperatures and by the diffusivity.  Axes are z (0 is the bottom), y, x.

const nx = 8
const ny = 6
const nz = 5
const steps = 3
const launches = 0 # 1: rates of change by kernels

const extent = 1.0e6       # m
const depth = 1000.0       # m
const dx = extent / nx
const dy = extent / ny
const dz = depth / nz
const dt = 300.0           # s
const substeps = 20        # of the free surface
const dtau = 2 * dt / substeps
const g = 9.81
const f = 1.0e-4           # 1/s
const expansion = 2.0e-4   # 1/K
const contraction = 8.0e-4
const viscosity = 500.0    # m^2/s, along the surface
const mixing = 1.0e-3      # m^2/s, up and down, of momentum
const drag = 1.0e-3        # m/s, at the bottom
const chi = 0.1            # of Adams-Bashforth

## What a neighbour has: one to the west, east, south, north
fn west(a: f64[l, m, n]) -> f64[l, m, n] = roll(a, 0, 0, 1)
fn east(a: f64[l, m, n]) -> f64[l, m, n] = roll(a, 0, 0, -1)
fn south(a: f64[l, m, n]) -> f64[l, m, n] = roll(a, 0, 1, 0)
fn north(a: f64[l, m, n]) -> f64[l, m, n] = roll(a, 0, -1, 0)

## From a face to the next: differences in the middle of cells
fn ddx(flux: f64[l, m, n]) -> f64[l, m, n] = (east(flux) - flux) / dx
fn ddy(flux: f64[l, m, n]) -> f64[l, m, n] = (north(flux) - flux) / dy
fn ddz(flux: f64[l, m, n]) -> f64[l - 1, m, n] = (flux[1:] - flux[:-1]) / dz

## What goes through the bottoms of layers, the lowest and the surface included
fn between(bottom: f64[m, n], inside: f64[l, m, n], top: f64[m, n]) -> f64[l + 2, m, n] {
    var flux = zeros(f64, l + 2, m, n)
    flux[0] = bottom
    flux[1:-1] = inside
    flux[l + 1] = top
    return flux
}
fn laplacian(a: f64[l, m, n]) -> f64[l, m, n] = (east(a) - 2 * a + west(a)) / dx^2 + (north(a) - 2 * a + south(a)) / dy^2

## Third-order upwind: what is carried through a face by the velocity c, of cells two and one before it and one and two behind
fn upwind(c: f64, before2: f64, before: f64, behind: f64, behind2: f64) -> f64 =
    c * (if c > 0 { (2 * behind + 5 * before - before2) / 6 } else { (2 * before + 5 * behind - behind2) / 6 })

## How a tracer changes: advection, diffusion, what comes through the surface
fn tracer_rate(c: f64[l, m, n], u: f64[l, m, n], v: f64[l, m, n], w: f64[k, m, n], surface: f64[m, n], kh: f64, kv: f64) -> f64[l, m, n] {
    let x = upwind(u, west(west(c)), west(c), c, east(c)) - kh * (c - west(c)) / dx
    let y = upwind(v, south(south(c)), south(c), c, north(c)) - kh * (c - south(c)) / dy
    let z = w[1:-1] * 0.5 * (c[1:] + c[:-1]) - kv * (c[1:] - c[:-1]) / dz
    return -(ddx(x) + ddy(y) + ddz(between(zeros(f64, m, n), z, surface)))
}

## Pressure over density in the middle of cells: the weight of what is above
fn pressure(b: f64[l, m, n]) -> f64[l, m, n] {
    let halves = 0.5 * dz * b
    let down = cumsum(halves[::-1], axis=0)[::-1]
    return halves - 2 * down
}
## The velocity up through the bottoms of layers, of what comes together below
fn upward(u: f64[l, m, n], v: f64[l, m, n]) -> f64[l + 1, m, n] {
    var w = zeros(f64, l + 1, m, n)
    w[1:] = cumsum(-dz * (ddx(u) + ddy(v)), axis=0)
    return w
}
fn u_rate(u: f64[l, m, n], v: f64[l, m, n], w: f64[k, m, n], p: f64[l, m, n], wind: f64[m, n]) -> f64[l, m, n] {
    let middle = 0.5 * (u + east(u))
    let x = middle * middle
    let y = 0.25 * (v + west(v)) * (u + south(u))
    let z = 0.25 * (w + west(w))[1:-1] * (u[1:] + u[:-1]) - mixing * (u[1:] - u[:-1]) / dz
    let vertical = ddz(between(-drag * u[0], z, -wind))
    let across = 0.25 * (v + west(v) + north(v) + north(west(v)))
    return f * across - (p - west(p)) / dx - (x - west(x)) / dx - ddy(y) - vertical + viscosity * laplacian(u)
}
fn v_rate(u: f64[l, m, n], v: f64[l, m, n], w: f64[k, m, n], p: f64[l, m, n]) -> f64[l, m, n] {
    let middle = 0.5 * (v + north(v))
    let y = middle * middle
    let x = 0.25 * (u + south(u)) * (v + west(v))
    let z = 0.25 * (w + south(w))[1:-1] * (v[1:] + v[:-1]) - mixing * (v[1:] - v[:-1]) / dz
    let vertical = ddz(between(-drag * v[0], z, zeros(f64, m, n)))
    let across = 0.25 * (u + south(u) + east(u) + east(south(u)))
    return -f * across - (p - south(p)) / dy - (y - south(y)) / dy - ddx(x) - vertical + viscosity * laplacian(v)
}

## The free surface and the transports of columns, in short steps over twice dt, and their means
fn surface(eta0: f64[m, n], hu0: f64[m, n], hv0: f64[m, n], push_u: f64[m, n], push_v: f64[m, n]) -> (f64[m, n], f64[m, n], f64[m, n]) {
    var (eta, hu, hv) = (eta0, hu0, hv0)
    var eta_mean = zeros(f64, m, n)
    var hu_mean = zeros(f64, m, n)
    var hv_mean = zeros(f64, m, n)
    for s in 0:substeps {
        eta -= dtau * ((roll(hu, 0, -1) - hu) / dx + (roll(hv, -1, 0) - hv) / dy)
        hu += dtau * (push_u - g * depth * (eta - roll(eta, 0, 1)) / dx)
        hv += dtau * (push_v - g * depth * (eta - roll(eta, 1, 0)) / dy)
        eta_mean += eta / substeps
        hu_mean += hu / substeps
        hv_mean += hv / substeps
    }
    return (eta_mean, hu_mean, hv_mean)
}

struct Ocean { u: f64[nz, ny, nx], v: f64[nz, ny, nx], T: f64[nz, ny, nx], S: f64[nz, ny, nx], eta: f64[ny, nx] }
struct Forcing { wind: f64[ny, nx], heat: f64[ny, nx] }

fn rates_by_arrays(o: Ocean, forcing: Forcing, kh: f64, kv: f64) -> Ocean {
    let w = upward(o.u, o.v)
    let p = pressure(g * (expansion * o.T - contraction * o.S))
    return Ocean(
        u=u_rate(o.u, o.v, w, p, forcing.wind),
        v=v_rate(o.u, o.v, w, p),
        T=tracer_rate(o.T, o.u, o.v, w, forcing.heat, kh, kv),
        S=tracer_rate(o.S, o.u, o.v, w, zeros(f64, ny, nx), kh, kv),
        eta=zeros(f64, ny, nx))
}

# The same as kernels: a thread for each cell, which computes the fluxes through its faces, a thread for each column where sums go up or
# down.  Results differ by rounding.

## What is carried through the west face of a cell, and through the south face
fn flux_x(c: f64[l, m, n], u: f64[l, m, n], k: int, j: int, i: int, kh: f64) -> f64 {
    let w = (i - 1) % n
    return upwind(u[k, j, i], c[k, j, (i - 2) % n], c[k, j, w], c[k, j, i], c[k, j, (i + 1) % n]) - kh * (c[k, j, i] - c[k, j, w]) / dx
}
fn flux_y(c: f64[l, m, n], v: f64[l, m, n], k: int, j: int, i: int, kh: f64) -> f64 {
    let s = (j - 1) % m
    return upwind(v[k, j, i], c[k, (j - 2) % m, i], c[k, s, i], c[k, j, i], c[k, (j + 1) % m, i]) - kh * (c[k, j, i] - c[k, s, i]) / dy
}
fn flux_z(c: f64[l, m, n], w: f64[h, m, n], k: int, j: int, i: int, kv: f64) -> f64 =
    w[k, j, i] * 0.5 * (c[k, j, i] + c[k - 1, j, i]) - kv * (c[k, j, i] - c[k - 1, j, i]) / dz

kernel tracer(rate: out f64[l, m, n], c: f64[l, m, n], u: f64[l, m, n], v: f64[l, m, n], w: f64[h, m, n], surface: f64[m, n], kh: f64, kv: f64) {
    let i = block.x * blockdim.x + thread.x
    let j = block.y * blockdim.y + thread.y
    let k = block.z * blockdim.z + thread.z
    if i < n and j < m and k < l {
        let x = flux_x(c, u, k, j, (i + 1) % n, kh) - flux_x(c, u, k, j, i, kh)
        let y = flux_y(c, v, k, (j + 1) % m, i, kh) - flux_y(c, v, k, j, i, kh)
        let top = if k < l - 1 { flux_z(c, w, k + 1, j, i, kv) } else { surface[j, i] }
        let bottom = if k > 0 { flux_z(c, w, k, j, i, kv) } else { 0.0 }
        rate[k, j, i] = -(x / dx + y / dy + (top - bottom) / dz)
    }
}

## Velocities up, and pressure: a thread goes along each column
kernel columns(w: out f64[h, m, n], p: out f64[l, m, n], u: f64[l, m, n], v: f64[l, m, n], T: f64[l, m, n], S: f64[l, m, n]) {
    let i = block.x * blockdim.x + thread.x
    let j = block.y * blockdim.y + thread.y
    if i < n and j < m {
        var up = 0.0
        w[0, j, i] = 0.0
        for k in 0:l {
            up -= dz * ((u[k, j, (i + 1) % n] - u[k, j, i]) / dx + (v[k, (j + 1) % m, i] - v[k, j, i]) / dy)
            w[k + 1, j, i] = up
        }
        var above = 0.0
        for d in 0:l {
            let k = l - 1 - d
            let half = 0.5 * dz * g * (expansion * T[k, j, i] - contraction * S[k, j, i])
            above += half
            p[k, j, i] = half - 2 * above
        }
    }
}

kernel eastward(rate: out f64[l, m, n], u: f64[l, m, n], v: f64[l, m, n], w: f64[h, m, n], p: f64[l, m, n], wind: f64[m, n]) {
    let i = block.x * blockdim.x + thread.x
    let j = block.y * blockdim.y + thread.y
    let k = block.z * blockdim.z + thread.z
    if i < n and j < m and k < l {
        let (e, s, q, o) = ((i + 1) % n, (j - 1) % m, (j + 1) % m, (i - 1) % n)
        let here = u[k, j, i]
        let x = 0.25 * (here + u[k, j, e])^2 - 0.25 * (here + u[k, j, o])^2
        let y = 0.25 * (v[k, q, i] + v[k, q, o]) * (u[k, q, i] + here) - 0.25 * (v[k, j, i] + v[k, j, o]) * (here + u[k, s, i])
        let top = if k < l - 1 {
            0.25 * (w[k + 1, j, i] + w[k + 1, j, o]) * (u[k + 1, j, i] + here) - mixing * (u[k + 1, j, i] - here) / dz
        } else { -wind[j, i] }
        let bottom = if k > 0 { 0.25 * (w[k, j, i] + w[k, j, o]) * (here + u[k - 1, j, i]) - mixing * (here - u[k - 1, j, i]) / dz } else { -drag * here }
        let across = 0.25 * (v[k, j, i] + v[k, j, o] + v[k, q, i] + v[k, q, o])
        let spread = (u[k, j, e] - 2 * here + u[k, j, o]) / dx^2 + (u[k, q, i] - 2 * here + u[k, s, i]) / dy^2
        rate[k, j, i] = f * across - (p[k, j, i] - p[k, j, o]) / dx - x / dx - y / dy - (top - bottom) / dz + viscosity * spread
    }
}
kernel northward(rate: out f64[l, m, n], u: f64[l, m, n], v: f64[l, m, n], w: f64[h, m, n], p: f64[l, m, n]) {
    let i = block.x * blockdim.x + thread.x
    let j = block.y * blockdim.y + thread.y
    let k = block.z * blockdim.z + thread.z
    if i < n and j < m and k < l {
        let (e, s, q, o) = ((i + 1) % n, (j - 1) % m, (j + 1) % m, (i - 1) % n)
        let here = v[k, j, i]
        let y = 0.25 * (here + v[k, q, i])^2 - 0.25 * (here + v[k, s, i])^2
        let x = 0.25 * (u[k, j, e] + u[k, s, e]) * (v[k, j, e] + here) - 0.25 * (u[k, j, i] + u[k, s, i]) * (here + v[k, j, o])
        let top = if k < l - 1 {
            0.25 * (w[k + 1, j, i] + w[k + 1, s, i]) * (v[k + 1, j, i] + here) - mixing * (v[k + 1, j, i] - here) / dz
        } else { 0.0 }
        let bottom = if k > 0 { 0.25 * (w[k, j, i] + w[k, s, i]) * (here + v[k - 1, j, i]) - mixing * (here - v[k - 1, j, i]) / dz } else { -drag * here }
        let across = 0.25 * (u[k, j, i] + u[k, s, i] + u[k, j, e] + u[k, s, e])
        let spread = (v[k, j, e] - 2 * here + v[k, j, o]) / dx^2 + (v[k, q, i] - 2 * here + v[k, s, i]) / dy^2
        rate[k, j, i] = -f * across - (p[k, j, i] - p[k, s, i]) / dy - y / dy - x / dx - (top - bottom) / dz + viscosity * spread
    }
}

fn rates_by_launches(o: Ocean, forcing: Forcing, kh: f64, kv: f64) -> Ocean {
    let flat = (ceildiv(nx, 32), ceildiv(ny, 8))
    let grid = (ceildiv(nx, 32), ceildiv(ny, 8), nz)
    var w = zeros(f64, nz + 1, ny, nx)
    var p = zeros(f64, nz, ny, nx)
    launch columns[flat, (32, 8)](w, p, o.u, o.v, o.T, o.S)
    var now = Ocean(u=zeros(f64, nz, ny, nx), v=zeros(f64, nz, ny, nx), T=zeros(f64, nz, ny, nx), S=zeros(f64, nz, ny, nx), eta=zeros(f64, ny, nx))
    launch eastward[grid, (32, 8, 1)](now.u, o.u, o.v, w, p, forcing.wind)
    launch northward[grid, (32, 8, 1)](now.v, o.u, o.v, w, p)
    launch tracer[grid, (32, 8, 1)](now.T, o.T, o.u, o.v, w, forcing.heat, kh, kv)
    launch tracer[grid, (32, 8, 1)](now.S, o.S, o.u, o.v, w, zeros(f64, ny, nx), kh, kv)
    return now
}

fn rates(o: Ocean, forcing: Forcing, kh: f64, kv: f64) -> Ocean =
    if launches == 1 { rates_by_launches(o, forcing, kh, kv) } else { rates_by_arrays(o, forcing, kh, kv) }

fn ahead(now: f64[l, m, n], before: f64[l, m, n], first: bool) -> f64[l, m, n] =
    if first { now } else { (1.5 + chi) * now - (0.5 + chi) * before }

## The state after some steps
fn simulate(start: Ocean, forcing: Forcing, kh: f64, kv: f64, steps: int) -> Ocean {
    var o = start
    var last = rates(o, forcing, kh, kv)
    for t in 0:steps {
        let now = rates(o, forcing, kh, kv)
        let gu = ahead(now.u, last.u, t == 0)
        let gv = ahead(now.v, last.v, t == 0)
        let u = o.u + dt * gu
        let v = o.v + dt * gv
        let (eta, hu, hv) = surface(o.eta, dz * sum(o.u, axis=0), dz * sum(o.v, axis=0), dz * sum(gu, axis=0), dz * sum(gv, axis=0))
        o = Ocean(
            u=u + (hu - dz * sum(u, axis=0)) / depth,
            v=v + (hv - dz * sum(v, axis=0)) / depth,
            T=o.T + dt * ahead(now.T, last.T, t == 0),
            S=o.S + dt * ahead(now.S, last.S, t == 0),
            eta=eta)
        last = now
    }
    return o
}

## What is asked of the state after some steps: the heat in the upper west, and the kinetic energy
fn objective(T0: f64[nz, ny, nx], start: Ocean, forcing: Forcing, kh: f64, kv: f64, steps: int) -> f64 {
    var o = start
    o.T = T0
    let end = simulate(o, forcing, kh, kv, steps)
    return mean(end.T[nz // 2:, :, 0:nx // 2]) + 0.5 * mean(end.u^2 + end.v^2)
}
let gradient = value_and_grad(objective, wrt=(T0, kh))

## A number from -0.5 to 0.5 that looks random
fn noise(seed: int, k: int, j: int, i: int) -> f64 = f64((((k * ny + j) * nx + i) * 7919 + seed * 104729) % 10007) / 10007.0 - 0.5

arg mode: str = "check"  ## check; state: the last state into ocean_*.npy; forward, gradient: milliseconds of a step
arg reps: int = 3        ## how often it is measured

let start = Ocean(
    u=[0.2 * sin(2 * pi * (j + 0.5) / ny) + 0.02 * noise(1, k, j, i) for k in 0:nz, j in 0:ny, i in 0:nx],
    v=[0.1 * sin(4 * pi * (i + 0.5) / nx) + 0.02 * noise(2, k, j, i) for k in 0:nz, j in 0:ny, i in 0:nx],
    T=[5 + 15 * (k + 0.5) / nz + 2 * sin(2 * pi * (i + 0.5) / nx) * cos(2 * pi * (j + 0.5) / ny) + 0.1 * noise(3, k, j, i) for k in 0:nz, j in 0:ny, i in 0:nx],
    S=[35 - (k + 0.5) / nz + 0.1 * noise(4, k, j, i) for k in 0:nz, j in 0:ny, i in 0:nx],
    eta=[0.1 * cos(2 * pi * (i + 0.5) / nx) for j in 0:ny, i in 0:nx])
let forcing = Forcing(
    wind=[1.0e-4 * sin(2 * pi * (j + 0.5) / ny) for j in 0:ny, i in 0:nx],
    heat=[2.0e-5 * cos(2 * pi * (j + 0.5) / ny) for j in 0:ny, i in 0:nx])
let kh = 300.0
let kv = 1.0e-4

if mode == "check" {
    let dT = [noise(5, k, j, i) for k in 0:nz, j in 0:ny, i in 0:nx]
    let dk = 40.0
    let h = 1.0e-3
    let (value, slopes) = gradient(start.T, start, forcing, kh, kv, steps)
    let difference = (objective(start.T + h * dT, start, forcing, kh + h * dk, kv, steps) - objective(start.T - h * dT, start, forcing, kh - h * dk, kv, steps)) / (2 * h)
    let slope = sum(slopes.0 * dT) + slopes.1 * dk
    print(f"value {value:.15g} slope {slope:.12g} difference {difference:.12g}")
    print("agrees with differences:", abs(difference - slope) < 1e-6 * abs(slope))
}
if mode == "state" {
    let end = simulate(start, forcing, kh, kv, steps)
    let (value, slopes) = gradient(start.T, start, forcing, kh, kv, steps)
    save("ocean_dslc.npz", "u", end.u, "v", end.v, "T", end.T, "S", end.S, "eta", end.eta, "gradient", slopes.0)
    print(f"{value:.17g} {slopes.1:.17g}")
}
var took = zeros(f64, reps)
var seen = 0.0
if mode == "forward" {
    for r in 0:reps {
        let begin = time()
        let end = simulate(start, forcing, kh + r, kv, steps)
        seen += end.T[0, 0, 0]
        took[r] = time() - begin
    }
}
if mode == "gradient" {
    for r in 0:reps {
        let begin = time()
        let (value, slopes) = gradient(start.T, start, forcing, kh + r, kv, steps)
        seen += value + slopes.0[0, 0, 0]
        took[r] = time() - begin
    }
}
if mode == "forward" or mode == "gradient" { print(f"{1000 * median(took) / steps:.4f} {seen:.9g}") }
