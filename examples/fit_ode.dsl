# %% [markdown]
# # Hares and lynxes from counts
#
# Populations follow $\dot x = a x - b x y$, $\dot y = d x y - c y$, and are counted at some times, with errors. Which rates
# $a, b, c, d$ fit the counts, and how sure are they? The first question is a fit of least squares through the
# solution of a differential equation: the derivative of each solution by the rates comes from differentiating the program
# that solves it. The second asks for draws from the posterior, for which Hamiltonian Monte Carlo follows the gradient.
# %% The model
const steps = 150 # of Runge and Kutta's method
const every = 6   # steps from one count to the next
const dt = 0.1
const draws = 400

fn change(u: f64[2], p: f64[4]) -> f64[2] = [p[0] * u[0] - p[1] * u[0] * u[1], p[3] * u[0] * u[1] - p[2] * u[1]]

## The populations, a row for each step
fn solution(p: f64[4]) -> f64[steps, 2] {
    var out = zeros(f64, steps, 2)
    var u = [6.0, 2.0]
    for t in 0:steps {
        out[t] = u
        let k1 = change(u, p)
        let k2 = change(u + dt / 2 * k1, p)
        let k3 = change(u + dt / 2 * k2, p)
        let k4 = change(u + dt * k3, p)
        u += dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    }
    return out
}

# %% [markdown]
# ## The counts
# They are made of known rates, with errors of 5 % in each count, so that the answer can be compared.
# %% Counts
let truth = [1.0, 0.5, 0.75, 0.25]
let exact = solution(truth)
let seen = [exact[every * k, j] * exp(0.05 * normal(11, 2 * k + j)) for k in 0:steps // every, j in 0:2]
let times = [dt * every * k for k in 0:steps // every]

# %% [markdown]
# ## The fit
# The logarithms of rates are fitted, so that rates stay positive. `levenberg_marquardt` asks for the jacobian of the residuals: forward
# derivatives through the 150 steps, four directions.
# %% Rates {tolerance=1e-6}
fn residuals(q: f64[4], seen: f64[k, 2]) -> f64[2 * k] {
    let u = solution(exp(q))
    return flatten([(log(u[every * i, j]) - log(seen[i, j])) / 0.05 for i in 0:k, j in 0:2])
}
let guess = [log(0.8), log(0.4), log(0.9), log(0.3)]
let best = levenberg_marquardt(fn(q) => residuals(q, seen), guess)
print("rates:", round(1e6 * exp(best)) / 1e6)
print(f"misfit per count: {sum(residuals(best, seen)^2) / (2 * len(times)):.10f}")
assert max(abs(exp(best) / truth - 1)) < 0.05, "the rates are found"

# %% Fit {tolerance=1e-6}
let fitted = solution(exp(best))
let all_times = [dt * t for t in 0:steps]
let counted = [if t % every == 0 { seen[t // every, k] } else { nan } for k in 0:2, t in 0:steps]
plot("fit.png", all_times, [fitted[:, 0], fitted[:, 1], counted[0], counted[1]],
     names="hares, lynxes, hares counted, lynxes counted", style="line, line, points, points",
     xlabel="time", ylabel="animals", title="Counts, and the solution that fits them")

# %% [markdown]
# ## How sure are the rates?
# Near the best fit the posterior is about a normal distribution whose covariance is $(J^T J)^{-1}$. Hamiltonian Monte Carlo draws
# from the posterior itself; scaling by the Cholesky factor of that covariance gives all directions one scale.
# %% Draws {tolerance=1e-3}
let j = jacobian(fn(q) => residuals(q, seen))(best)
let scale = cholesky(inv(j.T @ j))
let chain = hmc(fn(z) => -0.5 * sum(residuals(best + scale @ z, seen)^2), zeros(f64, 4), draws, 3, warmup=100)
let rates = [exp(best[k] + sum(scale[k, l] * chain.draws[i, l] for l in 0:4)) for i in 0:draws, k in 0:4]
let middle = [mean(rates[:, k]) for k in 0:4]
let spread = [std(rates[:, k]) for k in 0:4]
print(f"accepted: {chain.accepted:.2f}")
for k in 0:4 { print(f"rate {k}: {middle[k]:.3f} +- {spread[k]:.3f}, true {truth[k]}") }
assert all(abs(middle - truth) < 3.5 * spread), "the truth is among what is likely"

# %% Births and deaths {tolerance=1e-2}
scatter("posterior.png", rates[:, 0], rates[:, 2], xlabel="births of prey a", ylabel="deaths of predators c",
        title="Draws of the posterior")
