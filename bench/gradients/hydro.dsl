# Explicit shock hydrodynamics on hexahedra, in the manner of LULESH: elements gather the places of their eight nodes, nodes add
# up the forces of the elements around them, through tables of which nodes and elements belong together. Differentiated by the
# first energies and the first speeds.
const n = 3
const steps = 2
const reps = 0
const gamma = 1.4
const dt = 1e-2
const cells = n^3
const nodes = (n + 1)^3

import "measure.dsl"

struct Vec { x: f64, y: f64, z: f64 }
fn add(a: Vec, b: Vec) -> Vec = Vec(a.x + b.x, a.y + b.y, a.z + b.z)
fn minus(a: Vec, b: Vec) -> Vec = Vec(a.x - b.x, a.y - b.y, a.z - b.z)
fn cross3(a: Vec, b: Vec) -> Vec = Vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
fn triple(a: Vec, b: Vec, c: Vec) -> f64 = a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x)

## The volume of a hexahedron, of which corners 0 to 3 are below 4 to 7
fn volume(a: Vec, b: Vec, c: Vec, d: Vec, e: Vec, f: Vec, g: Vec, h: Vec) -> f64 =
    (triple(add(minus(d, b), minus(h, c)), minus(g, d), minus(c, a)) + triple(add(minus(e, d), minus(f, h)), minus(g, e), minus(h, a))
     + triple(add(minus(b, e), minus(c, f)), minus(g, b), minus(f, a))) / 12

## A quarter of the area of a face, along its normal
fn quarter(a: Vec, b: Vec, c: Vec, d: Vec) -> Vec {
    let s = cross3(minus(c, a), minus(d, b))
    return Vec(0.125 * s.x, 0.125 * s.y, 0.125 * s.z)
}

## The forces of each element on its corners: pressure times what stands around them
kernel push(force: out f64[cells, 8, 3], x: f64[nodes, 3], node: int[cells, 8], p: f64[cells]) {
    let i = block.x * blockdim.x + thread.x
    if i >= cells { return }
    let a = Vec(x[node[i, 0], 0], x[node[i, 0], 1], x[node[i, 0], 2])
    let b = Vec(x[node[i, 1], 0], x[node[i, 1], 1], x[node[i, 1], 2])
    let c = Vec(x[node[i, 2], 0], x[node[i, 2], 1], x[node[i, 2], 2])
    let d = Vec(x[node[i, 3], 0], x[node[i, 3], 1], x[node[i, 3], 2])
    let e = Vec(x[node[i, 4], 0], x[node[i, 4], 1], x[node[i, 4], 2])
    let f = Vec(x[node[i, 5], 0], x[node[i, 5], 1], x[node[i, 5], 2])
    let g = Vec(x[node[i, 6], 0], x[node[i, 6], 1], x[node[i, 6], 2])
    let h = Vec(x[node[i, 7], 0], x[node[i, 7], 1], x[node[i, 7], 2])
    let below = quarter(a, d, c, b)
    let above = quarter(e, f, g, h)
    let south = quarter(a, b, f, e)
    let east = quarter(b, c, g, f)
    let north = quarter(c, d, h, g)
    let west = quarter(d, a, e, h)
    let corner = [add(add(below, south), west), add(add(below, south), east), add(add(below, north), east), add(add(below, north), west),
        add(add(above, south), west), add(add(above, south), east), add(add(above, north), east), add(add(above, north), west)]
    for k in 0:8 {
        force[i, k, 0] = p[i] * corner[k].x
        force[i, k, 1] = p[i] * corner[k].y
        force[i, k, 2] = p[i] * corner[k].z
    }
}
## Nodes move by the forces of the elements around them: `corner` says which, as element times 8 plus corner, or is -1.
kernel move(x_next: out f64[nodes, 3], v_next: out f64[nodes, 3], x: f64[nodes, 3], v: f64[nodes, 3], force: f64[cells, 8, 3],
    corner: int[nodes, 8]) {
    let i = block.x * blockdim.x + thread.x
    if i >= nodes { return }
    for axis in 0:3 {
        var f = 0.0
        for k in 0:8 {
            let at = corner[i, k]
            if at >= 0 { f += force[at // 8, at % 8, axis] }
        }
        let speed = v[i, axis] + dt * f
        v_next[i, axis] = speed
        x_next[i, axis] = x[i, axis] + dt * speed
    }
}
## Volumes change, and with them energies; what is pressed together quickly resists more.
kernel work(e_next: out f64[cells], p_next: out f64[cells], vol_next: out f64[cells], vol: f64[cells], e: f64[cells], p: f64[cells],
    x: f64[nodes, 3], node: int[cells, 8]) {
    let i = block.x * blockdim.x + thread.x
    if i >= cells { return }
    let a = Vec(x[node[i, 0], 0], x[node[i, 0], 1], x[node[i, 0], 2])
    let b = Vec(x[node[i, 1], 0], x[node[i, 1], 1], x[node[i, 1], 2])
    let c = Vec(x[node[i, 2], 0], x[node[i, 2], 1], x[node[i, 2], 2])
    let d = Vec(x[node[i, 3], 0], x[node[i, 3], 1], x[node[i, 3], 2])
    let ee = Vec(x[node[i, 4], 0], x[node[i, 4], 1], x[node[i, 4], 2])
    let f = Vec(x[node[i, 5], 0], x[node[i, 5], 1], x[node[i, 5], 2])
    let g = Vec(x[node[i, 6], 0], x[node[i, 6], 1], x[node[i, 6], 2])
    let h = Vec(x[node[i, 7], 0], x[node[i, 7], 1], x[node[i, 7], 2])
    let new = volume(a, b, c, d, ee, f, g, h)
    let change = new - vol[i]
    let q = if change < 0 { 2 * (change / (dt * new))^2 / new } else { 0.0 }
    let energy = max(e[i] - (p[i] + q) * change, 1e-9)
    e_next[i] = energy
    p_next[i] = (gamma - 1) * energy / new
    vol_next[i] = new
}
fn hydro(e0: f64[cells], v0: f64[nodes, 3], x0: f64[nodes, 3], node: int[cells, 8], corner: int[nodes, 8], steps: int, scale: f64) -> f64 {
    var x = x0
    var v = v0
    var e = e0
    var vol = ones(f64, cells)
    var p = [(gamma - 1) * e0[i] for i in 0:cells]
    for t in 0:steps {
        var force = zeros(f64, cells, 8, 3)
        var (x_next, v_next) = (x, v)
        var (e_next, p_next, vol_next) = (e, p, vol)
        launch push[ceildiv(cells, 128), 128](force, x, node, p)
        launch move[ceildiv(nodes, 128), 128](x_next, v_next, x, v, force, corner)
        launch work[ceildiv(cells, 128), 128](e_next, p_next, vol_next, vol, e, p, x_next, node)
        x = x_next
        v = v_next
        e = e_next
        p = p_next
        vol = vol_next
    }
    return scale * (sum(v^2) + sum(e^2))
}
let gradient = grad(hydro, wrt=(e0, v0))

fn node_at(i: int, j: int, k: int) -> int = (i * (n + 1) + j) * (n + 1) + k
## Of corner `c` along axes z, y, x
fn up(c: int) -> int = c // 4
fn back(c: int) -> int = if c % 4 >= 2 { 1 } else { 0 }
fn right(c: int) -> int = if c % 4 == 1 or c % 4 == 2 { 1 } else { 0 }
## The element of which the node is corner c, or -1
fn around(m: int, c: int) -> int {
    let (i, j, k) = (m // (n + 1)^2 - up(c), m // (n + 1) % (n + 1) - back(c), m % (n + 1) - right(c))
    return if i >= 0 and j >= 0 and k >= 0 and i < n and j < n and k < n { ((i * n + j) * n + k) * 8 + c } else { -1 }
}
let node = [node_at(c // (n * n) + up(k), c // n % n + back(k), c % n + right(k)) for c in 0:cells, k in 0:8]
let corner = [around(m, c) for m in 0:nodes, c in 0:8]
let x = [f64(if a == 0 { m % (n + 1) } else { if a == 1 { m // (n + 1) % (n + 1) } else { m // (n + 1)^2 } }) for m in 0:nodes, a in 0:3]
let v = [noise(1, m * 3 + a) for m in 0:nodes, a in 0:3]
let e = [2.0 + noise(2, c) for c in 0:cells]
let dv = [noise(3, m * 3 + a) for m in 0:nodes, a in 0:3]
let de = [noise(4, c) for c in 0:cells]
let (ge, gv) = gradient(e, v, x, node, corner, steps, 1.0)
agree(hydro(e + h * de, v + h * dv, x, node, corner, steps, 1.0) - hydro(e - h * de, v - h * dv, x, node, corner, steps, 1.0),
    sum(ge * de) + sum(gv * dv))

var value = 0.0
var found = (ge, gv)
var took = zeros(f64, reps + 1)
for r in 0:reps {
    let start = time()
    value += hydro(e, v, x, node, corner, steps, 1.0 + 1e-9 * r)
    took[r + 1] = time() - start
}
report("primal", took)
for r in 0:reps {
    let start = time()
    found = gradient(e, v, x, node, corner, steps, 1.0 + 1e-9 * r)
    took[r + 1] = time() - start
}
report("gradient", took)
print(f"check {value:.9g} {sum(found.0^2) + sum(found.1^2):.9g}")
