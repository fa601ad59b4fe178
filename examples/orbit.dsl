# %% [markdown]
# # A way to another planet
#
# A probe leaves the circle on which the Earth goes around the Sun and is to meet a planet on a wider circle, after a given time. With which
# velocity must it leave? Where it arrives is a function of that velocity: a thousand steps of an integrator. Its jacobian comes from
# differentiating the program, so Newton's method finds the velocity in a few turns. The same derivatives, by the whole first state, tell how
# errors of the start grow on the way.
# %% The orbit
const steps = 1000
const mu = 4 * pi^2 # of the Sun, in astronomical units and years
const flight = 0.65

fn pull(p: f64[2]) -> f64[2] = -mu * p / norm(p)^3

## The states x, y, vx, vy on the way, by the leapfrog, which keeps areas
fn flown(s: f64[4]) -> f64[steps + 1, 4] {
    let (places, speeds) = leapfrog(pull, s[0:2], s[2:4], flight / steps, steps)
    return hstack(places, speeds)
}
fn last(s: f64[4]) -> f64[4] = flown(s)[steps]

# %% [markdown]
# ## Aim
# The planet is at 1.524 astronomical units, and 140 degrees ahead when the probe comes.
# %% Newton's method {tolerance=1e-8, absolute=1e-10}
const a = 1.524 * cos(140 * pi / 180)
const b = 1.524 * sin(140 * pi / 180)
fn missed(v: f64[2]) -> f64[2] = last([1.0, 0.0, v[0], v[1]])[0:2] - [a, b]
var v = [0.0, 1.15 * 2 * pi]
for turn in 0:8 {
    let off = missed(v)
    if norm(off) < 1e-11 { break }
    v -= solve(jacobian(missed)(v), off)
}
print(f"velocity at the start: {v[0]:.6f}, {v[1]:.6f} au per year; the Earth has {2 * pi:.6f}")
assert norm(missed(v)) < 1e-9, "the probe is where the planet is"

# %% The way {tolerance=1e-8, absolute=1e-9}
let way = flown([1.0, 0.0, v[0], v[1]])
let circle = linspace(0.0, 2 * pi, 121)
let f = figure("way.png")
panel(f, "From one circle to the other", "x (au)", "y (au)", equal=true)
plot(f, cos(circle), sin(circle), name="Earth")
plot(f, 1.524 * cos(circle), 1.524 * sin(circle), name="the planet")
plot(f, way[0:steps + 1:10, 0], way[0:steps + 1:10, 1], name="the probe")
draw(f)

# %% [markdown]
# ## How errors grow
# The jacobian of the whole map, from the first state to the last, is symplectic: $M^T J M = J$, exactly so for the leapfrog. Its greatest singular
# value says by how much the worst error grows.
# %% From start to end {tolerance=1e-6}
let m = jacobian(last)([1.0, 0.0, v[0], v[1]])
let j = [[0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0], [-1.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 0.0]]
assert max(abs(m.T @ j @ m - j)) < 1e-9, "areas are kept"
print(f"the determinant: {det(m):.6f}")
print(f"the worst error grows by {svd(m).1[0]:.3f}")
let knock = 1e-5
print(f"1 m/s more along the way moves the arrival by {norm(m[0:2, 3]) * 1.0 / 4740.57 * 149597870.7:.0f} km")
