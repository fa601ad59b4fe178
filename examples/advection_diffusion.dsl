# %% [markdown]
# # Advection and diffusion: does the error fall as it should?
#
# A wave on a ring of length 1 is carried along and fades:
#
# $$u_t + c\, u_x = \kappa\, u_{xx}, \qquad u(x, 0) = \sin 2 \pi x.$$
#
# Its exact form is known, $u(x, t) = e^{-4 \pi^2 \kappa t} \sin 2 \pi (x - c t)$, so every scheme can be
# measured. On a grid with step $h$, diffusion is a central difference of second order. For advection there
# are two candidates: the *central* difference, of second order, and the *upwind* difference, of first order
# but with no wiggles however coarse the grid is.
# %% The scheme
const speed = 1.0
const kappa = 0.02
const finest = 8      # grids of 2^3 to 2^finest cells
const duration = 0.25

## One explicit step on a ring; weight 0: central, 1: upwind
kernel step(next: out f64[n], u: f64[n], h: f64, dt: f64, weight: f64) {
    let i = block.x * blockdim.x + thread.x
    if i >= n { return }
    let left = u[(i - 1) % n]
    let right = u[(i + 1) % n]
    let slope = (1 - weight) * (right - left) / (2 * h) + weight * (u[i] - left) / h
    let curvature = (left - 2 * u[i] + right) / h^2
    next[i] = u[i] + dt * (kappa * curvature - speed * slope)
}

## The wave after `duration`.  The step in time is a fraction of h^2, so that the error
## in time falls like h^2 as well.
fn simulate(n: int, weight: f64) -> f64[n] {
    let h = 1.0 / n
    let steps = int(ceil(duration / (0.2 * h^2 / kappa)))
    var u = [sin(2 * pi * i * h) for i in 0:n]
    for t in 0:steps {
        var next = zeros(f64, n)
        launch step[ceildiv(n, 64), 64](next, u, h, duration / steps, weight)
        u = next
    }
    return u
}

fn exact(x: f64) -> f64 =
    exp(-4 * pi^2 * kappa * duration) * sin(2 * pi * (x - speed * duration))

# %% [markdown]
# On sixteen cells the upwind wave is clearly too low: its error acts like diffusion of strength $c h / 2$.
# %% Two schemes on a coarse grid
let x = [i / 16 for i in 0:16]
let fine = linspace(0.0, 1.0, 200)
plot("wave.png", (fine, map(exact, fine)), (x, simulate(16, 1.0)),
     names="exact, upwind", style="line, linespoints", xlabel="x", ylabel="u")

# %% [markdown]
# ## Convergence
# The greatest error on ever finer grids. In a picture with two logarithmic axes $\text{error} = C h^p$ is a
# straight line with slope $p$.
# %% Errors {tolerance=1e-9}
fn error(n: int, weight: f64) -> f64 {
    let u = simulate(n, weight)
    return max(abs(u[i] - exact(i / n)) for i in 0:n)
}
let cells = [2^k for k in 3:finest + 1]
let h = 1.0 / cells
var central = zeros(f64, len(cells))
var upwind = zeros(f64, len(cells))
for k in 0:len(cells) {
    central[k] = error(cells[k], 0.0)
    upwind[k] = error(cells[k], 1.0)
}
plot("convergence.png", h, [central, upwind, central[0] * (h / h[0])^2], log="xy",
     names="central, upwind, slope 2", style="linespoints, linespoints, dashed",
     xlabel="h", ylabel="greatest error")

# %% [markdown]
# The slopes between neighbouring grids are the *measured orders*. The upwind scheme still climbs to its first
# order: on coarse grids its error is the whole wave.
# %% Measured orders
let last = len(cells) - 1
let order_central = [log2(central[k] / central[k + 1]) for k in 0:last]
let order_upwind = [log2(upwind[k] / upwind[k + 1]) for k in 0:last]
print("central:", order_central)
print("upwind: ", order_upwind)
assert abs(order_central[last - 1] - 2) < 0.1
assert abs(order_upwind[last - 1] - 1) < 0.4
