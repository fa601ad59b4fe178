# %% [markdown]
# # Hares and lynxes
#
# Lotka (1925) and Volterra (1926) describe prey $x$ and predators $y$ by
#
# $$\dot x = a x - b x y, \qquad \dot y = d x y - c y.$$
#
# The populations circle around the equilibrium $(c/d,\ a/b)$, each orbit on a curve on which
#
# $$V(x, y) = d x - c \ln x + b y - a \ln y$$
#
# is constant. A good integrator has to stay on that curve.
# %% The model
const a = 1.0  # births of prey
const b = 0.5  # prey eaten
const c = 0.75 # deaths of predators
const d = 0.25 # predators fed
const orbits = 6
const steps = 1500
const dt = 0.01

fn prey(x: f64, y: f64) -> f64 = a * x - b * x * y
fn predators(x: f64, y: f64) -> f64 = d * x * y - c * y
fn invariant(x: f64, y: f64) -> f64 = d * x - c * log(x) + b * y - a * log(y)

## One step of the classical Runge-Kutta method
fn advance(x: f64, y: f64, h: f64) -> (f64, f64) {
    let (p1, q1) = (prey(x, y), predators(x, y))
    let (x2, y2) = (x + h / 2 * p1, y + h / 2 * q1)
    let (p2, q2) = (prey(x2, y2), predators(x2, y2))
    let (x3, y3) = (x + h / 2 * p2, y + h / 2 * q2)
    let (p3, q3) = (prey(x3, y3), predators(x3, y3))
    let (x4, y4) = (x + h * p3, y + h * q3)
    let (p4, q4) = (prey(x4, y4), predators(x4, y4))
    let (p, q) = (p1 + 2 * p2 + 2 * p3 + p4, q1 + 2 * q2 + 2 * q3 + q4)
    return (x + h / 6 * p, y + h / 6 * q)
}

## Each thread follows one orbit, a row of x and y, from its first column.
kernel follow(x: inout f64[k, n], y: inout f64[k, n], h: f64) {
    let i = block.x * blockdim.x + thread.x
    if i >= k { return }
    for t in 1:n {
        let (next_x, next_y) = advance(x[i, t - 1], y[i, t - 1], h)
        x[i, t] = next_x
        y[i, t] = next_y
    }
}

# %% [markdown]
# ## The phase portrait
# Orbits start to the right of the equilibrium, at growing distances.
# %% Orbits
var x = zeros(f64, orbits, steps)
var y = zeros(f64, orbits, steps)
x[:, 0] = [c / d * (1.1 + 0.4 * i) for i in 0:orbits]
y[:, 0] = full(a / b, orbits)
launch follow[ceildiv(orbits, 32), 32](x, y, dt)
plot("orbits.png", x, y, title="Orbits of the Lotka-Volterra equations",
     xlabel="hares", ylabel="lynxes", equal=true)

# %% The direction field
let gx = linspace(0.25, 9.75, 20)
let gy = linspace(0.25, 6.25, 13)
let u = [prey(p, q) for q in gy, p in gx]
let v = [predators(p, q) for q in gy, p in gx]
quiver("field.png", gx, gy, u / hypot(u, v), v / hypot(u, v),
       xlabel="hares", ylabel="lynxes")

# %% [markdown]
# The lynxes follow the hares a quarter of a period behind.
# %% Over time
let time_axis = [dt * t for t in 0:steps]
plot("time.png", time_axis, [x[2], y[2]], names="hares, lynxes",
     xlabel="time", ylabel="animals")

# %% [markdown]
# ## Does it stay on its curve?
# The drift of $V$ along each orbit, relative to its first value:
# %% Drift of the invariant {absolute=1e-9}
let level = [invariant(x[i, t], y[i, t]) for i in 0:orbits, t in 0:steps]
let drift = [max(abs(level[i, t] / level[i, 0] - 1) for t in 0:steps) for i in 0:orbits]
print("drift of V:", drift)
assert max(drift) < 1e-7, "V is conserved"

# %% [markdown]
# Runge-Kutta's method has order four: half the step makes the error after a fixed time sixteen times smaller.
# The reference is a run with an eighth of the step.
# %% Order of the method {absolute=1e-6}
fn end_of(h: f64, n: int) -> f64 {
    var p = zeros(f64, 1, n + 1)
    var q = zeros(f64, 1, n + 1)
    p[0, 0] = 2 * c / d
    q[0, 0] = a / b
    launch follow[1, 32](p, q, h)
    return p[0, n]
}
let reference = end_of(0.0125, 400)
let order = log2(abs(end_of(0.1, 50) - reference) / abs(end_of(0.05, 100) - reference))
print("order of the method:", order)
assert abs(order - 4) < 0.2

# %% [markdown]
# Near the equilibrium orbits are ellipses with the period $2\pi / \sqrt{a c}$.
# %% Period of small orbits {absolute=1e-9}
## Time from the first to the last upward crossing of a level, and how many there are
fn crossings(x: f64[n], level: f64) -> (f64, int) {
    var last = 0.0
    var first = 0.0
    var count = 0
    for t in 1:n {
        if x[t - 1] < level and x[t] >= level {
            last = t - 1 + (level - x[t - 1]) / (x[t] - x[t - 1])
            if count == 0 { first = last }
            count += 1
        }
    }
    return (last - first, count)
}
var p = zeros(f64, 1, 3000)
var q = zeros(f64, 1, 3000)
p[0, 0] = 1.001 * c / d
q[0, 0] = a / b
launch follow[1, 32](p, q, dt)
let (span, count) = crossings(p[0], c / d)
let period = span * dt / (count - 1)
print(f"period: {period:.5f}, expected {2 * pi / sqrt(a * c):.5f}")
assert abs(period - 2 * pi / sqrt(a * c)) < 1e-4
