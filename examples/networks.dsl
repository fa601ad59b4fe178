# %% [markdown]
# # Two networks
#
# A function of two variables is learned from 200 samples: by a network of layers, $x \mapsto W_2 \tanh(W_1 x + b_1) + b_2$, and by a
# Kolmogorov-Arnold network (Liu et al. 2024), which has no weights but learned functions of one variable on its edges,
# $\sum_q \Phi_q\big(\sum_p \phi_{qp}(x_p)\big)$. Parameters lie in one vector; the losses are ordinary functions of it, and `adam` and
# `lbfgs` differentiate them.
# %% The samples
const samples = 200
const steps = 300
const turns = 200
fn target(a: f64, b: f64) -> f64 = exp(sin(pi * a) + b^2) - 1
let at = 2 * rand(5, samples, 2) - 1
let value = [target(at[i, 0], at[i, 1]) for i in 0:samples]

# %% [markdown]
# ## A network of layers
# 16 hidden units: 65 parameters. Products of matrices round as the processor's BLAS does, and L-BFGS makes more of that: the last loss is the same
# to 1e-4 only.
# %% Layers {tolerance=1e-4, absolute=1e-4}
const hidden = 16
fn layers(p: f64[n], x: f64[m, 2]) -> f64[m] {
    let w1 = reshape(p[0:2 * hidden], 2, hidden)
    let b1 = p[2 * hidden:3 * hidden]
    let w2 = p[3 * hidden:4 * hidden]
    return tanh(x @ w1 + b1) @ w2 + p[4 * hidden]
}
fn layers_loss(p: f64[n], x: f64[m, 2], y: f64[m]) -> f64 = mean((layers(p, x) - y)^2)
let start = 0.5 * randn(3, 4 * hidden + 1)
let warm = adam(fn(p) => layers_loss(p, at, value), start, rate=0.02, steps=steps)
let trained = lbfgs(fn(p) => layers_loss(p, at, value), warm, turns=turns)
print(f"loss: {layers_loss(start, at, value):.4f}, after Adam {layers_loss(warm, at, value):.4f}, after L-BFGS {layers_loss(trained, at, value):.6f}")
assert layers_loss(trained, at, value) < 0.5 * layers_loss(warm, at, value)

# %% [markdown]
# ## A Kolmogorov-Arnold network
# Each $\phi$ is a sum of ten Gaussian bumps along $[-1, 1]$ with learned heights; two inner sums, two outer functions of
# $\tanh$ of them: 60 parameters.
# %% Functions on edges {tolerance=1e-4, absolute=0}
const bumps = 10
const inner = 2
fn curve(c: f64[e, n], row: int, x: f64) -> f64 = sum(c[row, k] * exp(-((x - (2 * k / (n - 1) - 1)) * (n - 1) / 2)^2) for k in 0:n)
fn edges(p: f64[n], x: f64[m, 2]) -> f64[m] {
    let c = reshape(p, 3 * inner, bumps)
    return [sum(curve(c, 2 * inner + q, tanh(curve(c, 2 * q, x[i, 0]) + curve(c, 2 * q + 1, x[i, 1]))) for q in 0:inner) for i in 0:m]
}
fn edges_loss(p: f64[n], x: f64[m, 2], y: f64[m]) -> f64 = mean((edges(p, x) - y)^2)
let first = 0.2 * randn(9, 3 * inner * bumps)
let learned = lbfgs(fn(p) => edges_loss(p, at, value), first, turns=2 * turns)
print(f"loss: {edges_loss(first, at, value):.4f}, after L-BFGS {edges_loss(learned, at, value):.6f}")
assert edges_loss(learned, at, value) < 0.1 * edges_loss(first, at, value)

# %% [markdown]
# ## Along a line
# What both make of points that they have not seen, at $b = 0.3$.
# %% Along a line {tolerance=1e-2, absolute=0.3}
let t = linspace(-0.9, 0.9, 61)
let line = column_stack(t, full(0.3, 61))
let f = figure("line.png")
panel(f, "Two networks", "a", "value at b = 0.3")
plot(f, t, [target(a, 0.3) for a in t], name="what is learned")
plot(f, t, layers(trained, line), name="layers")
plot(f, t, edges(learned, line), name="functions on edges")
draw(f)
