# Functions that are given with their parameters the other way around, states that are tuples, names of other libraries
let a = ode(fn(y, t) => [y[1], -y[0]], [1.0, 0.0], linspace(0.0, 1.0, 3))
fn swapped(y: f64[2], t: f64) -> f64[2] = [y[1], -y[0]]
let b = ode(swapped, [1.0, 0.0], linspace(0.0, 1.0, 3))
let c = ode(fn(t, s) => -s, (1.0, 0.0), linspace(0.0, 1.0, 3))
let square = fn(x) => x^2
fn uses(x: f64) -> f64 = square(x)
print(jax.grad(uses)(1.0), vmap(uses)([1.0]), jit(uses)(2.0), curve_fit(uses, [1.0], [1.0]))
print(ode(fn(t, y) => [t[0], y[0]], [1.0, 0.0], linspace(0.0, 1.0, 3)))
