# %% [markdown]
# # Heat in a rod, by two launches
#
# The heat equation $u_t = u_{xx}$ by the explicit scheme
#
# $$u_i^{t+1} = u_i^t + k\,(u_{i-1}^t - 2 u_i^t + u_{i+1}^t), \qquad k = \Delta t / h^2 \le \tfrac12.$$
#
# Each step takes second differences in one launch and adds them in another. The compiler sees that the two
# together are one stencil.
# %% Two kernels
const n = 1000
const steps = 2000
const k = 0.4

kernel second_difference(d: out f64[n], u: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i >= 1 and i < n - 1 {
        d[i] = u[i - 1] - 2 * u[i] + u[i + 1]
    }
}

kernel add_scaled(u: inout f64[n], d: f64[n], k: f64) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        u[i] += k * d[i]
    }
}

fn diffuse(u0: f64[n], steps: int) -> f64[n] {
    var u = u0
    var d = zeros(f64, n)
    for t in 0:steps {
        launch second_difference[ceildiv(n, 128), 128](d, u)
        launch add_scaled[ceildiv(n, 128), 128](u, d, k)
    }
    return u
}

# %% [markdown]
# ## A hot spot spreads
# %% Profiles
let x = linspace(0.0, 1.0, n)
let spot = exp(-2000 * (x - 0.5)^2)
plot("heat.png", x, [spot, diffuse(spot, steps // 20), diffuse(spot, steps // 4),
                    diffuse(spot, steps)],
     names="at the start, 5 %, 25 %, at the end", xlabel="x", ylabel="u")

# %% [markdown]
# ## A sine keeps its form
# Each step multiplies $\sin \pi x$ by $1 - 4 k \sin^2 (\pi h / 2)$, exactly. So the result after all steps is
# known but for rounding.
# %% Check {absolute=1e-10}
let u0 = sin(pi * x)
let u = diffuse(u0, steps)
let h = 1.0 / (n - 1)
let factor = (1 - 4 * k * sin(pi * h / 2)^2)^steps
print("largest error:", max(abs(u - factor * u0)))
assert max(abs(u - factor * u0)) < 1e-10
