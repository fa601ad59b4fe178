# %% [markdown]
# # A multilayer perceptron, forward
#
# Three layers $x \mapsto \max(x W + b, 0)$, the last one followed by softmax,
# $p_j = e^{z_j} / \sum_k e^{z_k}$. Everything is in whole-array notation; matrix products go to BLAS. Sizes
# are part of the types: a weight matrix that does not fit its layer is found by the compiler.
# %% The network
const batch = 64

fn relu(x: f32[n, m]) -> f32[n, m] = max(x, 0)

fn layer(x: f32[b, n], w: f32[n, m], bias: f32[m]) -> f32[b, m] = x @ w + bias

fn predict(x: f32[b, n], w1: f32[n, h], b1: f32[h], w2: f32[h, h], b2: f32[h],
           w3: f32[h, k], b3: f32[k]) -> f32[b, k] {
    let z = layer(relu(layer(relu(layer(x, w1, b1)), w2, b2)), w3, b3)
    let top = [max(z[i, j] for j in 0:k) for i in 0:b]
    let e = [exp(z[i, j] - top[i]) for i in 0:b, j in 0:k]
    let total = sum(e, axis=1)
    return [e[i, j] / total[i] for i in 0:b, j in 0:k]
}

# %% [markdown]
# ## With random weights
# Entries with variance $1/n$ keep the signal's size from layer to layer. An untrained network has
# preferences, but every row of its output is a distribution.
# %% Predictions {tolerance=1e-5}
fn weights(seed: int, n: int, m: int) -> f32[n, m] =
    [f32(normal(seed, i * m + j) / sqrt(f64(n))) for i in 0:n, j in 0:m]

let x = weights(1, batch, 196)
let p = predict(x, weights(2, 196, 128), zeros(f32, 128),
                weights(3, 128, 128), zeros(f32, 128),
                weights(4, 128, 10), zeros(f32, 10))
print("classes of the first eight:", [argmax(p[i]) for i in 0:8])
assert max(abs(sum(p, axis=1) - 1)) < 1e-5

# %% Probabilities
image("probabilities.png", p, title="Class probabilities", equal=false,
      xlabel="class", ylabel="input")
