# Rodinia cfd: the Euler equations of a gas around a wing, finite volumes on an unstructured grid of cells with four
# small: across=4 steps=3
# neighbours.  Variables are kept by component: density, momentum x y z, energy.
import "random.dsl"
const across = 36
const steps = 20
const gamma: f32 = 1.4
const mach = 1.2
const smoothing: f32 = 0.2

struct Vec { x: f32, y: f32, z: f32 }
struct Cell { density: f32, mx: f32, my: f32, mz: f32, energy: f32 }
struct Flux { xx: f32, xy: f32, xz: f32, yy: f32, yz: f32, zz: f32, ex: f32, ey: f32, ez: f32 }
struct Gas { vx: f32, vy: f32, vz: f32, speed2: f32, pressure: f32, sound: f32 }

fn gas(c: Cell) -> Gas {
    let vx = c.mx / c.density
    let vy = c.my / c.density
    let vz = c.mz / c.density
    let speed2 = vx * vx + vy * vy + vz * vz
    let pressure = (gamma - 1) * (c.energy - 0.5 * c.density * speed2)
    return Gas(vx, vy, vz, speed2, pressure, sqrt(gamma * pressure / c.density))
}

fn flux(c: Cell, g: Gas) -> Flux {
    let e = c.energy + g.pressure
    return Flux(g.vx * c.mx + g.pressure, g.vx * c.my, g.vx * c.mz, g.vy * c.my + g.pressure, g.vy * c.mz, g.vz * c.mz + g.pressure, g.vx * e, g.vy * e, g.vz * e)
}

kernel step_factor(factor: out f32[n], v: Cell[n], area: f32[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        let g = gas(v[i])
        factor[i] = 0.5 / (sqrt(area[i]) * (sqrt(g.speed2) + g.sound))
    }
}

kernel fluxes(out_flux: out Cell[n], v: Cell[n], neighbour: i32[4, n], normal: Vec[4, n], far: Cell, far_flux: Flux) {
    let i = block.x * blockdim.x + thread.x
    if i >= n { return }
    let c = v[i]
    let g = gas(c)
    let f = flux(c, g)
    var density: f32 = 0
    var mx: f32 = 0
    var my: f32 = 0
    var mz: f32 = 0
    var energy: f32 = 0
    for j in 0:4 {
        let nb = neighbour[j, i]
        let nx = normal[j, i].x
        let ny = normal[j, i].y
        let nz = normal[j, i].z
        if nb >= 0 {
            let o = v[nb]
            let h = gas(o)
            let q = flux(o, h)
            let a = -sqrt(nx * nx + ny * ny + nz * nz) * smoothing * 0.5 * (sqrt(g.speed2) + sqrt(h.speed2) + g.sound + h.sound)
            density += a * (c.density - o.density)
            energy += a * (c.energy - o.energy)
            mx += a * (c.mx - o.mx)
            my += a * (c.my - o.my)
            mz += a * (c.mz - o.mz)
            let x = 0.5 * nx
            density += x * (o.mx + c.mx)
            energy += x * (q.ex + f.ex)
            mx += x * (q.xx + f.xx)
            my += x * (q.xy + f.xy)
            mz += x * (q.xz + f.xz)
            let y = 0.5 * ny
            density += y * (o.my + c.my)
            energy += y * (q.ey + f.ey)
            mx += y * (q.xy + f.xy)
            my += y * (q.yy + f.yy)
            mz += y * (q.yz + f.yz)
            let z = 0.5 * nz
            density += z * (o.mz + c.mz)
            energy += z * (q.ez + f.ez)
            mx += z * (q.xz + f.xz)
            my += z * (q.yz + f.yz)
            mz += z * (q.zz + f.zz)
        } else if nb == -1 {
            mx += nx * g.pressure
            my += ny * g.pressure
            mz += nz * g.pressure
        } else {
            let x = 0.5 * nx
            density += x * (far.mx + c.mx)
            energy += x * (far_flux.ex + f.ex)
            mx += x * (far_flux.xx + f.xx)
            my += x * (far_flux.xy + f.xy)
            mz += x * (far_flux.xz + f.xz)
            let y = 0.5 * ny
            density += y * (far.my + c.my)
            energy += y * (far_flux.ey + f.ey)
            mx += y * (far_flux.xy + f.xy)
            my += y * (far_flux.yy + f.yy)
            mz += y * (far_flux.yz + f.yz)
            let z = 0.5 * nz
            density += z * (far.mz + c.mz)
            energy += z * (far_flux.ez + f.ez)
            mx += z * (far_flux.xz + f.xz)
            my += z * (far_flux.yz + f.yz)
            mz += z * (far_flux.zz + f.zz)
        }
    }
    out_flux[i] = Cell(density, mx, my, mz, energy)
}

kernel time_step(v: out Cell[n], old: Cell[n], factor: f32[n], flux: Cell[n], j: int) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        let f = factor[i] / f32(4 - j)
        v[i].density = old[i].density + f * flux[i].density
        v[i].mx = old[i].mx + f * flux[i].mx
        v[i].my = old[i].my + f * flux[i].my
        v[i].mz = old[i].mz + f * flux[i].mz
        v[i].energy = old[i].energy + f * flux[i].energy
    }
}

## Three Runge-Kutta stages a step
fn euler(v0: Cell[n], neighbour: i32[4, n], normal: Vec[4, n], area: f32[n], far: Cell, steps: int) -> Cell[n] {
    let far_flux = flux(far, gas(far))
    let grid = ceildiv(n, 192)
    var v = v0
    for s in 0:steps {
        let old = v
        var factor = zeros(f32, n)
        launch step_factor[grid, 192](factor, v, area)
        for j in 1:4 {
            var f = old
            launch fluxes[grid, 192](f, v, neighbour, normal, far, far_flux)
            launch time_step[grid, 192](v, old, factor, f, j)
        }
    }
    return v
}

# The grid is a diamond lattice: two kinds of cells, each with four neighbours of the other kind.  Its numbers are shuffled in
# groups of 64.  Beyond the border is gas (-2), but below the lowest layer the wing (-1).
const n = 2 * across * across * across

fn place_of(id: int) -> int = id // 64 * 64 + (37 * (id % 64) + 11 * (id // 64)) % 64
fn id_at(place: int) -> int = place // 64 * 64 + 45 * (place % 64 - 11 * (place // 64)) % 64

fn neighbour_at(j: int, place: int) -> i32 {
    let id = id_at(place)
    let kind = id % 2
    let step = 2 * kind - 1
    var x = id // 2 % across
    var y = id // 2 // across % across
    var z = id // 2 // across // across
    if j == 1 { x += step }
    if j == 2 { y += step }
    if j == 3 { z += step }
    if z < 0 { return -1 }
    if x < 0 or y < 0 or x >= across or y >= across or z >= across { return -2 }
    return i32(place_of(((z * across + y) * across + x) * 2 + 1 - kind))
}

## Inwards, as long as the face is large
fn normal_at(j: int, place: int) -> Vec {
    let s: f32 = if id_at(place) % 2 == 0 { -0.1 } else { 0.1 }
    return Vec(if j < 2 { s } else { -s }, if j % 2 == 0 { s } else { -s }, if j % 3 == 0 { s } else { -s })
}

let speed = f32(mach)
let far = Cell(1.4, 1.4 * speed, 0, 0, 1.4 * (0.5 * speed * speed) + 1 / (gamma - 1))
let neighbour = [neighbour_at(j, i) for j in 0:4, i in 0:n]
let normal = [normal_at(j, i) for j in 0:4, i in 0:n]
let area = [0.8 + f32(0.4) * unit(mix(i)) for i in 0:n]
let start = time()
let v = euler([far for i in 0:n], neighbour, normal, area, far, steps)
let seconds = time() - start
print("check", sum(f64(v[i].density) * (1 + i % 7) for i in 0:n), sum(f64(v[i].mx) * (1 + i % 7) for i in 0:n), sum(f64(v[i].my) * (1 + i % 7) for i in 0:n), sum(f64(v[i].mz) * (1 + i % 7) for i in 0:n), sum(f64(v[i].energy) * (1 + i % 7) for i in 0:n))
print("time", seconds)
