# Neurons of many compartments, as Jaxley simulates them: channels of Hodgkin and Huxley, whose gates are stepped by the exponential Euler
# method, and the voltages of a tree of compartments by the implicit one: its system is solved from the tips to the root and back (Hines,
# "Efficient computation of branched nerve equations", 1984).  The neurons of a batch differ in their conductances; differentiated by these.
import "measure.dsl"

const neurons = 3
const comps = 7
const branch = 3 # compartments of a branch: as many as there are for a cable, which is tridiagonal
const steps = 40
const reps = 0

const dt = 0.025 # ms
const axial = 20.0 # between compartments, mS/cm^2

## x / (exp(x / y) - 1), also near 0
fn vtrap(x: f64, y: f64) -> f64 = if abs(x / y) < 1e-6 { y * (1 - x / y / 2) } else { x / (exp(x / y) - 1) }

## A gate after dt, with the rates of opening and of closing
fn gate(x: f64, opens: f64, closes: f64) -> f64 {
    let still = opens / (opens + closes)
    return still + (x - still) * exp(-dt * (opens + closes))
}

## The solution of diagonal[i] v[i] - coupling (v of i's neighbours) = right[i] in a tree where `parent[i] < i`
fn hines(diagonal: f64[n, b], right: f64[n, b], parent: int[n], coupling: f64) -> f64[n, b] {
    var d = diagonal
    var v = right
    for k in 0:n - 1 {
        let i = n - 1 - k
        let f = coupling / d[i]
        d[parent[i]] -= f * coupling
        v[parent[i]] += f * v[i]
    }
    v[0] = v[0] / d[0]
    for i in 1:n { v[i] = (v[i] + coupling * v[parent[i]]) / d[i] }
    return v
}

## The voltage of the last compartment over time, where the first is driven by a current
fn traces(gna: f64[b], gk: f64[b], gl: f64[b], parent: int[n], children: f64[n], steps: int) -> f64[steps, b] {
    var v = full(-65.0, n, b)
    var m = full(0.053, n, b)
    var h = full(0.596, n, b)
    var w = full(0.318, n, b)
    var seen = zeros(f64, steps, b)
    let coupling = dt * axial
    for t in checkpoint(0:steps) {
        m = gate(m, 0.1 * vtrap(-(v + 40), 10.0), 4 * exp(-(v + 65) / 18))
        h = gate(h, 0.07 * exp(-(v + 65) / 20), 1 / (exp(-(v + 35) / 10) + 1))
        w = gate(w, 0.01 * vtrap(-(v + 55), 10.0), 0.125 * exp(-(v + 65) / 80))
        let (na, k) = (gna * m^3 * h, gk * w^4)
        let drive = [if i == 0 and t < 400 { 600.0 } else { 0.0 } for i in 0:n]
        let diagonal = 1 + dt * (na + k + gl) + coupling * children[:, newaxis]
        let right = v + dt * (na * 50.0 - k * 77.0 - gl * 54.3 + drive[:, newaxis])
        v = hines(diagonal, right, parent, coupling)
        seen[t] = v[n - 1]
    }
    return seen
}
fn loss(gna: f64[b], gk: f64[b], gl: f64[b], parent: int[n], children: f64[n], target: f64[steps, b]) -> f64 =
    mean((traces(gna, gk, gl, parent, children, steps) - target)^2)
let gradient = grad(loss, wrt=(gna, gk, gl))

let parent = [if i % branch == 0 { 0 } else { i - 1 } for i in 0:comps]
var children = full(1.0, comps)
children[0] = 0
children[parent[1:]] += 1

let gna = [120 * (1 + 0.2 * noise(1, j)) for j in 0:neurons]
let gk = [36 * (1 + 0.2 * noise(2, j)) for j in 0:neurons]
let gl = [0.3 * (1 + 0.2 * noise(3, j)) for j in 0:neurons]
let target = traces(1.05 * gna, gk, gl, parent, children, steps)
let g = gradient(gna, gk, gl, parent, children, target)
if reps > 0 { # what peers find, too
    tell("traces", flatten(traces(gna, gk, gl, parent, children, steps)))
    tell("gna", g.0)
    tell("gk", g.1)
    tell("gl", g.2)
}

let e = 1e-5
fn noises(seed: int, n: int) -> f64[n] = [noise(seed, j) for j in 0:n]
let (da, dk, dl) = (noises(4, neurons), noises(5, neurons), noises(6, neurons))
agree((loss(gna + e * da, gk + e * dk, gl + e * dl, parent, children, target) - loss(gna - e * da, gk - e * dk, gl - e * dl, parent, children, target)) / (2 * e),
    sum(g.0 * da) + sum(g.1 * dk) + sum(g.2 * dl), 1e-5)

var value = 0.0
var found = g
var took = zeros(f64, reps + 1)
for r in 0:reps {
    let asked = (1 - 1e-9 * r) * gna
    let start = time()
    value += traces(asked, gk, gl, parent, children, steps)[steps - 1, 0]
    took[r + 1] = time() - start
}
report("forward", took)
for r in 0:reps {
    let asked = (1 - 1e-9 * r) * gna
    let start = time()
    found = gradient(asked, gk, gl, parent, children, target)
    took[r + 1] = time() - start
}
report("gradient", took)
if reps > 0 { print("did", value, sum(found.0) + sum(found.1) + sum(found.2)) } # so that all is done
