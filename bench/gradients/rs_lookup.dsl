# Cross sections from poles, in the manner of RSBench: a look-up finds the window of its energy in each nuclide of its material,
# adds a polynomial and the terms of the window's complex poles, with phase factors and an approximation of the Faddeeva
# function. Differentiated by the poles' residues and by the polynomials.
const lookups = 20
const nuclides = 5
const windows = 4
const inside = 3
const materials = 3
const parts = 4
const reps = 0

import "measure.dsl"

## Faddeeva's function far from 0: i/sqrt(pi) z (z^2 - 1) / (z^4 - 2 z^2 + 1/2), in real and imaginary parts
fn faddeeva(x: f64, y: f64) -> (f64, f64) {
    let (a, b) = (x^2 - y^2, 2 * x * y)
    let (nr, ni) = (x * (a - 1) - y * b, x * b + y * (a - 1))
    let (dr, di) = (a^2 - b^2 - 2 * a + 0.5, 2 * a * b - 2 * b)
    let size = sqrt(pi) * (dr^2 + di^2)
    return (-(ni * dr - nr * di) / size, (nr * dr + ni * di) / size)
}
kernel look_up(found: out f64[l, 3], at: f64[l], material: int[l], holds: int[p, q], amount: f64[p, q], poly: f64[m, w, 3, 3],
    pole: f64[m, r, 2], residue: f64[m, r, 3, 2], first: int[m, w], last: int[m, w]) {
    let i = block.x * blockdim.x + thread.x
    if i < l {
        let e = at[i]
        let mat = material[i]
        let root = sqrt(e)
        var total = zeros(f64, 3)
        for s in 0:q {
            let k = holds[mat, s]
            let window = min(int(e * w), w - 1)
            for c in 0:3 {
                total[c] += amount[mat, s] * (poly[k, window, c, 0] / e + poly[k, window, c, 1] / root + poly[k, window, c, 2])
            }
            for j in first[k, window]:last[k, window] {
                let (fr, fi) = faddeeva(4 * (root - pole[k, j, 0]), 4 * pole[k, j, 1])
                let turn = 2 * root * pole[k, j, 0]
                let (cr, ci) = (cos(turn), -sin(turn))
                let (pr, pi) = (fr * cr - fi * ci, fr * ci + fi * cr)
                for c in 0:3 { total[c] += amount[mat, s] * (residue[k, j, c, 0] * pr - residue[k, j, c, 1] * pi) / e }
            }
        }
        for c in 0:3 { found[i, c] = total[c] }
    }
}
fn absorbed(at: f64[l], material: int[l], holds: int[p, q], amount: f64[p, q], poly: f64[m, w, 3, 3], pole: f64[m, r, 2],
    residue: f64[m, r, 3, 2], first: int[m, w], last: int[m, w], scale: f64) -> f64 {
    var found = zeros(f64, l, 3)
    launch look_up[ceildiv(l, 256), 256](found, at, material, holds, amount, poly, pole, residue, first, last)
    return scale * sum(found^2) / l
}
let gradient = grad(absorbed, wrt=(poly, pole, residue))

let at = [0.55 + 0.9 * noise(1, i) for i in 0:lookups]
let material = [i * 7919 % 10007 % materials for i in 0:lookups]
let holds = [(p * 3 + s) % nuclides for p in 0:materials, s in 0:parts]
let amount = [1.0 + noise(2, p * parts + s) for p in 0:materials, s in 0:parts]
let poly = [noise(3, ((k * windows + v) * 3 + c) * 3 + o) for k in 0:nuclides, v in 0:windows, c in 0:3, o in 0:3]
let pole = [(if o == 0 { noise(4, k * 31 + j) } else { 1.0 + noise(5, k * 37 + j) }) for k in 0:nuclides, j in 0:windows * inside, o in 0:2]
let residue = [noise(6, ((k * 41 + j) * 3 + c) * 2 + o) for k in 0:nuclides, j in 0:windows * inside, c in 0:3, o in 0:2]
let first = [max(v * inside - 1, 0) for k in 0:nuclides, v in 0:windows]
let last = [min((v + 1) * inside + k % 2, windows * inside) for k in 0:nuclides, v in 0:windows]
let d1 = [noise(7, ((k * windows + v) * 3 + c) * 3 + o) for k in 0:nuclides, v in 0:windows, c in 0:3, o in 0:3]
let d2 = [noise(8, (k * 43 + j) * 2 + o) for k in 0:nuclides, j in 0:windows * inside, o in 0:2]
let d3 = [noise(9, ((k * 41 + j) * 3 + c) * 2 + o) for k in 0:nuclides, j in 0:windows * inside, c in 0:3, o in 0:2]
let (g1, g2, g3) = gradient(at, material, holds, amount, poly, pole, residue, first, last, 1.0)
agree(absorbed(at, material, holds, amount, poly + h * d1, pole + h * d2, residue + h * d3, first, last, 1.0)
    - absorbed(at, material, holds, amount, poly - h * d1, pole - h * d2, residue - h * d3, first, last, 1.0),
    sum(g1 * d1) + sum(g2 * d2) + sum(g3 * d3))

var value = 0.0
var g = (g1, g2, g3)
var took = zeros(f64, reps + 1)
for r in 0:reps {
    let start = time()
    value += absorbed(at, material, holds, amount, poly, pole, residue, first, last, 1.0 + 1e-9 * r)
    took[r + 1] = time() - start
}
report("primal", took)
for r in 0:reps {
    let start = time()
    g = gradient(at, material, holds, amount, poly, pole, residue, first, last, 1.0 + 1e-9 * r)
    took[r + 1] = time() - start
}
report("gradient", took)
print(f"check {value:.9g} {sum(g.0^2) + sum(g.1^2) + sum(g.2^2):.9g}")
