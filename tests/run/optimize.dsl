# Minima by derivatives, against known ones; fits with a known answer; moments of what hmc draws
fn rosenbrock(x: f64[n]) -> f64 = sum(100 * (x[i + 1] - x[i]^2)^2 + (1 - x[i])^2 for i in 0:n - 1)
fn off(x: f64[n], from: f64 = 1.0) -> f64 = max(abs(x - from))
let start = [-1.2, 1.0]
let many = full(-1.0, 20)
print("lbfgs", off(lbfgs(rosenbrock, start)) < 1e-7, off(lbfgs(rosenbrock, many, memory=5)) < 1e-7, lbfgs(fn(x) => sum(x^4), [0.0]), off(lbfgs(rosenbrock, [1.0, 1.0])))
print("newton_cg", off(newton_cg(rosenbrock, start)) < 1e-9, off(newton_cg(rosenbrock, many)) < 1e-9)
print("adam", off(adam(rosenbrock, start, rate=0.02, steps=5000)) < 1e-9)
print("gradient_descent", off(gradient_descent(rosenbrock, start, rate=0.002, steps=20000)) < 1e-2, gradient_descent(fn(x) => sum((x - 3)^2), [0.0, 1.0], rate=0.5, steps=1))
print("levenberg_marquardt", off(levenberg_marquardt(fn(x) => [10 * (x[1] - x[0]^2), 1 - x[0]], start)) < 1e-9)

# A quadratic function: its minimum solves a linear system
let a = [[4.0, 1.0, 0.0], [1.0, 3.0, -1.0], [0.0, -1.0, 2.0]]
let b = [1.0, 2.0, 3.0]
let x = solve(a, b)
for way in 0:2 {
    let found = if way == 0 { lbfgs(fn(x) => 0.5 * sum(x * (a @ x)) - sum(b * x), zeros(f64, 3)) } else { newton_cg(fn(x) => 0.5 * sum(x * (a @ x)) - sum(b * x), zeros(f64, 3)) }
    print(max(abs(found - x)) < 1e-7)
}

# Meyer's decay, and a line: the parameters of which the measurements were made
let t = linspace(0.0, 4.0, 30)
let seen = 2.5 * exp(-1.3 * t) + 0.5
print(max(abs(levenberg_marquardt(fn(p) => p[0] * exp(-p[1] * t) + p[2] - seen, [1.0, 1.0, 0.0]) - [2.5, 1.3, 0.5])) < 1e-8)
print(max(abs(levenberg_marquardt(fn(p) => p[0] + p[1] * t - (3 - 2 * t), [0.0, 0.0]) - [3.0, -2.0])) < 1e-10)

# A normal distribution with these means and covariances
let mu = [1.0, -2.0]
let c = [[2.0, 0.6], [0.6, 0.5]]
let ci = inv(c)
let chain = hmc(fn(x) => -0.5 * sum((x - mu) * (ci @ (x - mu))), [0.0, 0.0], 4000, 7)
let m = [mean(chain.draws[:, j]) for j in 0:2]
let cov = [mean((chain.draws[:, i] - m[i]) * (chain.draws[:, j] - m[j])) for i in 0:2, j in 0:2]
print("hmc", max(abs(m - mu)) < 0.1, max(abs(cov - c)) < 0.2, chain.accepted > 0.6, chain.step > 0.2, shape(chain.draws), len(chain.logp))
let quartic = hmc(fn(x) => -sum(x^4), [3.0], 5000, 1)
print(abs(mean(quartic.draws[:, 0]^2) - exp(lgamma(0.75) - lgamma(0.25))) < 0.02)
