# %% [markdown]
# # Which part of the sea makes the energy later?
#
# Waves in a shallow sea of depth $h(x, y)$: elevation $\eta$ and currents $u, v$ follow
#
# $$\partial_t \eta = -\nabla \cdot (h \mathbf u), \qquad \partial_t \mathbf u = -g \nabla \eta - r \mathbf u,$$
#
# behind walls. A mound of water is let go; after some time we ask for the energy in a harbour. By how much does it grow where
# the initial surface is higher, at each of the points? With differences that is a run for each point. The gradient is one
# run forward and one backward.
# %% The sea
const ny = 48
const nx = 64
const steps = 160
const g = 9.81
const dx = 1000.0
const dt = 20.0
const drag = 1e-5

## A step of the scheme: currents from the surface, then the surface from the currents; faces on walls keep 0
fn advance(eta: f64[ny, nx], u: f64[ny, nx + 1], v: f64[ny + 1, nx], h: f64[ny, nx]) -> (f64[ny, nx], f64[ny, nx + 1], f64[ny + 1, nx]) {
    let u1 = [if i == 0 or i == nx { 0.0 } else { (1 - drag * dt) * u[j, i] - g * dt / dx * (eta[j, i] - eta[j, i - 1]) }
              for j in 0:ny, i in 0:nx + 1]
    let v1 = [if j == 0 or j == ny { 0.0 } else { (1 - drag * dt) * v[j, i] - g * dt / dx * (eta[j, i] - eta[j - 1, i]) }
              for j in 0:ny + 1, i in 0:nx]
    let next = [eta[j, i] - h[j, i] * dt / dx * (u1[j, i + 1] - u1[j, i] + v1[j + 1, i] - v1[j, i]) for j in 0:ny, i in 0:nx]
    return (next, u1, v1)
}

## The potential energy per cell of the harbour in the corner, later
fn harbour(eta0: f64[ny, nx], h: f64[ny, nx]) -> f64 {
    var eta = eta0
    var u = zeros(f64, ny, nx + 1)
    var v = zeros(f64, ny + 1, nx)
    for t in 0:steps {
        let (a, b, c) = advance(eta, u, v, h)
        eta = a
        u = b
        v = c
    }
    return 0.5 * g * mean(eta[36:46, 50:60]^2)
}

# %% [markdown]
# ## The bottom and the first surface
# A ridge crosses the sea; waves are slower over it and bend towards it.
# %% The bottom
let x = [dx * (i + 0.5) / 1000 for i in 0:nx]
let y = [dx * (j + 0.5) / 1000 for j in 0:ny]
let depth = [100 - 80 * exp(-((p - 0.5 * q - 24) / 6)^2) for q in y, p in x]
let eta0 = [exp(-((p - 14)^2 + (q - 16)^2) / 18) for q in y, p in x]
image("depth.png", x, y, depth, title="Depth (m)", xlabel="x (km)", ylabel="y (km)")

# %% The sensitivity {tolerance=1e-9}
let (energy, slope) = value_and_grad(harbour, wrt=eta0)(eta0, depth)
print("energy:", energy)
image("sensitivity.png", x, y, slope, colors="diverging", xlabel="x (km)", ylabel="y (km)",
      title="Energy in the harbour, by the initial surface")

# %% [markdown]
# Red is where more water makes more energy. Along the ridge, over which waves are slow and which leads them, the first surface matters most;
# to the left are the crests and troughs of the waves that arrive just then.
#
# ## Against differences
# %% At random points {tolerance=1e-6}
fn raised(eta: f64[ny, nx], j: int, i: int, by: f64) -> f64[ny, nx] = [eta[q, p] + (if q == j and p == i { by } else { 0.0 }) for q in 0:ny, p in 0:nx]
let js = randint(1, 0, ny, 5)
let is = randint(2, 0, nx, 5)
let e = 1e-3
let differences = [(harbour(raised(eta0, js[k], is[k], e), depth) - harbour(raised(eta0, js[k], is[k], -e), depth)) / (2 * e) for k in 0:5]
let gradients = [slope[js[k], is[k]] for k in 0:5]
print("gradient:   ", gradients)
print("differences:", differences)
assert max(abs(gradients - differences)) < 1e-8 * max(abs(slope)) + 1e-10
