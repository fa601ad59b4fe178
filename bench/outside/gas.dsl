# Finite volumes: Euler's equations of a gas in one dimension, Rusanov fluxes, cells as structs
const n = 200000
const steps = 20
const gamma = 1.4
const ratio = 0.2

struct Cell { rho: f64, mom: f64, energy: f64 }

fn pressure(c: Cell) -> f64 = (gamma - 1) * (c.energy - 0.5 * c.mom^2 / c.rho)
fn speed(c: Cell) -> f64 = abs(c.mom / c.rho) + sqrt(gamma * pressure(c) / c.rho)

fn flux(l: Cell, r: Cell) -> Cell {
    let a = max(speed(l), speed(r))
    let (pl, pr) = (pressure(l), pressure(r))
    let (ul, ur) = (l.mom / l.rho, r.mom / r.rho)
    return Cell(rho=0.5 * (l.mom + r.mom - a * (r.rho - l.rho)),
        mom=0.5 * (l.mom * ul + pl + r.mom * ur + pr - a * (r.mom - l.mom)),
        energy=0.5 * ((l.energy + pl) * ul + (r.energy + pr) * ur - a * (r.energy - l.energy)))
}

kernel step(next: out Cell[n], cells: Cell[n]) {
    let i = block.x * blockdim.x + thread.x
    if i >= 1 and i < n - 1 {
        let west = flux(cells[i - 1], cells[i])
        let east = flux(cells[i], cells[i + 1])
        next[i] = Cell(rho=cells[i].rho - ratio * (east.rho - west.rho), mom=cells[i].mom - ratio * (east.mom - west.mom),
            energy=cells[i].energy - ratio * (east.energy - west.energy))
    }
}

var cells = [if i < n // 2 { Cell(1.0, 0.0, 2.5) } else { Cell(0.125, 0.0, 0.25) } for i in 0:n]
var next = cells
var start = 0.0
for t in 0:steps + 1 {
    if t == 1 { start = time() }
    launch step[ceildiv(n, 256), 256](next, cells)
    let old = cells
    cells = next
    next = old
}
let seconds = (time() - start) / steps
print("check", sum(c.rho for c in cells), sum(c.energy for c in cells), cells[n // 2].mom)
print("time", seconds)
