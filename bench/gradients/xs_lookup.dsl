# Look-ups in tables of cross sections, in the manner of XSBench: each look-up is at an energy in one material, finds its place
# in the sorted energies of each nuclide of that material, and adds up five interpolated cross sections, weighted by how much
# of the nuclide there is. Differentiated by the tables and by the amounts.
const lookups = 20
const nuclides = 5
const points = 8
const materials = 3
const parts = 4
const reps = 0

import "measure.dsl"

## The interval of row `k` that holds `e`: the last point that is not above it
fn place_of(energy: f64[m, n], k: int, e: f64) -> int {
    var low = 0
    var high = n - 1
    while high - low > 1 {
        let middle = (low + high) // 2
        if energy[k, middle] > e { high = middle } else { low = middle }
    }
    return low
}
kernel look_up(found: out f64[l, 5], at: f64[l], material: int[l], holds: int[p, q], amount: f64[p, q], energy: f64[m, n],
    table: f64[m, n, 5]) {
    let i = block.x * blockdim.x + thread.x
    if i < l {
        let e = at[i]
        let mat = material[i]
        var total = zeros(f64, 5)
        for s in 0:q {
            let k = holds[mat, s]
            let low = place_of(energy, k, e)
            let w = (energy[k, low + 1] - e) / (energy[k, low + 1] - energy[k, low])
            for c in 0:5 { total[c] += amount[mat, s] * (table[k, low + 1, c] - w * (table[k, low + 1, c] - table[k, low, c])) }
        }
        for c in 0:5 { found[i, c] = total[c] }
    }
}
fn absorbed(at: f64[l], material: int[l], holds: int[p, q], amount: f64[p, q], energy: f64[m, n], table: f64[m, n, 5], scale: f64) -> f64 {
    var found = zeros(f64, l, 5)
    launch look_up[ceildiv(l, 256), 256](found, at, material, holds, amount, energy, table)
    return scale * sum(found^2) / l
}
let gradient = grad(absorbed, wrt=(amount, table))

let at = [0.5 + 0.999 * noise(1, i) for i in 0:lookups]
let material = [i * 7919 % 10007 % materials for i in 0:lookups]
let holds = [(p * 3 + s) % nuclides for p in 0:materials, s in 0:parts]
let amount = [1.0 + noise(2, p * parts + s) for p in 0:materials, s in 0:parts]
let energy = [(j + (if j > 0 and j < points - 1 { 0.5 * noise(3, k * points + j) } else { 0.0 })) / (points - 1) for k in 0:nuclides, j in 0:points]
let table = [1.0 + noise(4, (k * points + j) * 5 + c) for k in 0:nuclides, j in 0:points, c in 0:5]
let da = [noise(5, p * parts + s) for p in 0:materials, s in 0:parts]
let dt = [noise(6, (k * points + j) * 5 + c) for k in 0:nuclides, j in 0:points, c in 0:5]
let (ga, gt) = gradient(at, material, holds, amount, energy, table, 1.0)
agree(absorbed(at, material, holds, amount + h * da, energy, table + h * dt, 1.0)
    - absorbed(at, material, holds, amount - h * da, energy, table - h * dt, 1.0), sum(ga * da) + sum(gt * dt))

var value = 0.0
var g = (ga, gt)
var took = zeros(f64, reps + 1)
for r in 0:reps {
    let start = time()
    value += absorbed(at, material, holds, amount, energy, table, 1.0 + 1e-9 * r)
    took[r + 1] = time() - start
}
report("primal", took)
for r in 0:reps {
    let start = time()
    g = gradient(at, material, holds, amount, energy, table, 1.0 + 1e-9 * r)
    took[r + 1] = time() - start
}
report("gradient", took)
print(f"check {value:.9g} {sum(g.0^2) + sum(g.1^2):.9g}")
