# Roots, integrals, differential equations, minima, splines, beside what is known of them
let a = 2.0
print(abs(root(fn(x) => x * x - a, 0.0, 2.0) - sqrt(2.0)) < 1e-14, abs(root(cos, 1.0, 2.0) - pi / 2) < 1e-14, root(fn(x) => x, 0.0, 1.0), abs(root(fn(x) => x^9 - 1e-9, -1.0, 1.0) - 0.1) < 1e-12)
print(abs(integrate(exp, 0.0, 1.0) - (exp(1.0) - 1)) < 1e-13, abs(integrate(fn(x) => sqrt(x), 0.0, 1.0) - 2 / 3) < 1e-9, abs(integrate(fn(x) => 1 / (1 + 1e4 * x * x), -1.0, 1.0) - 2 * atan(100.0) / 100) < 1e-11, integrate(sin, 1.0, 1.0))

let t = linspace(0.0, 10.0, 41)
let swing = ode(fn(t, y) => [y[1], -y[0]], [1.0, 0.0], t, rtol=1e-10, atol=1e-12)
print(max(abs(swing[:, 0] - cos(t))) < 1e-8, max(abs(swing[:, 1] + sin(t))) < 1e-8)
let growth = ode(fn(t, y) => [2 * t * y[0]], [1.0], [0.0, 0.5, 1.0, 1.0, 2.0])
print(max(abs(growth[:, 0] / exp([0.0, 0.25, 1.0, 1.0, 4.0]) - 1)) < 1e-5)
let stiff = ode_stiff(fn(t, y) => [-1000 * (y[0] - cos(t))], [0.0], t)
print(max(abs(stiff[1:, 0] - (cos(t[1:]) * 1e6 + 1000 * sin(t[1:])) / (1e6 + 1))) < 1e-3)
let (xs, vs) = leapfrog(fn(x) => -x, [1.0], [0.0], 0.1, 1000)
let energy = xs[:, 0]^2 + vs[:, 0]^2
print(abs(max(energy) - min(energy)) < 0.003, size(xs, 0))

let best = minimize(fn(p) => (1 - p[0])^2 + 100 * (p[1] - p[0]^2)^2, [-1.2, 1.0])
print(max(abs(best - 1)) < 1e-4, abs(minimize(fn(p) => (p[0] - 3)^2, [0.0])[0] - 3) < 1e-4)

let at = [0.0, 1.0, 2.5, 4.0]
print(spline(at, at, [1.0, 3.0, 2.0, 5.0]), spline([-1.0, 0.5, 5.0], [0.0, 1.0], [1.0, 3.0]))
let dense = linspace(0.0, pi, 200)
let nodes = linspace(0.0, pi, 21)
print(max(abs(spline(dense, nodes, sin(nodes)) - sin(dense))) < 1e-5)
