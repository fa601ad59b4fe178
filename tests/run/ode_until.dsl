# Differential equations until a function of the state crosses zero (SciPy's numbers: golden_solvers)
fn ball(t: f64, y: f64[2]) -> f64[2] = [y[1], -9.81 - 0.05 * y[1] * abs(y[1])]
fn swing(t: f64, y: f64[2]) -> f64[2] = [y[1], -y[0]]
let times = linspace(0.0, 10.0, 21)
let landed = ode_until(ball, [0.0, 20.0], times, fn(t, y) => y[0], rtol=1e-10, atol=1e-12)
print(f"{landed.t:.8f} {landed.y[1]:.7f}", len(landed.rows), landed.stopped)
let rising = ode_until(swing, [1.0, 0.0], times, fn(t, y) => y[0], direction=1, rtol=1e-10, atol=1e-12)
let any = ode_until(swing, [1.0, 0.0], times, fn(t, y) => y[0], rtol=1e-10, atol=1e-12)
print(abs(rising.t - 1.5 * pi) < 1e-9, abs(any.t - pi / 2) < 1e-9, abs(any.y[1] + 1) < 1e-9, len(any.rows))
let hunted = ode_until(fn(t, y) => [y[0] * (1 - y[1]), y[1] * (y[0] - 1)], [2.0, 1.0], linspace(0.0, 20.0, 41), fn(t, y) => y[0] - 1, 1, 1e-10, 1e-12)
print(f"{hunted.t:.7f} {hunted.y[1]:.7f}", len(hunted.rows))
let never = ode_until(fn(t, y) => -y, [1.0], linspace(0.0, 2.0, 5), fn(t, y) => y[0] - 0.001)
print(never.stopped, never.t, abs(never.y[0] - exp(-2.0)) < 1e-6, shape(never.rows))
# stop may ask for the time; what is zero at the start has not crossed; a falling zero is none that rises
let met = ode_until(fn(t, y) => -y, [1.0], linspace(0.0, 2.0, 5), fn(t, y) => y[0] - 0.3 * t, rtol=1e-10, atol=1e-12)
print(f"{met.t:.8f} {met.y[0]:.8f}", len(met.rows))
let thrown = ode_until(fn(t, y) => [y[1], -9.81], [0.0, 5.0], [0.0, 3.0], fn(t, y) => y[0])
print(abs(thrown.t - 10 / 9.81) < 1e-9, abs(thrown.y[1] + 5) < 1e-9, thrown.rows)
print(ode_until(swing, [1.0, 0.0], [0.0, 4.0], fn(t, y) => y[0], direction=1).stopped, ode_until(swing, [1.0, 0.0], [2.0], fn(t, y) => y[0]).t)
# a ball that bounces three times
fn bounces(n: int) -> f64[n] {
    var at = zeros(f64, n)
    var y = [1.0, 0.0]
    var t = 0.0
    for k in 0:n {
        let hit = ode_until(fn(t, y) => [y[1], -10.0], y, [t, t + 10], fn(t, y) => y[0], direction=-1)
        t = hit.t
        y = [0.0, -0.5 * hit.y[1]]
        at[k] = t
    }
    return at
}
let fall = sqrt(0.2)
print(max(abs(bounces(3) - [fall, 2 * fall, 2.5 * fall])) < 1e-9)
