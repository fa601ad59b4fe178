# %% [markdown]
# # Heat in a rod, by two launches
# Each step takes second differences in one launch and adds them in another: the compiler may see that the two
# together are one stencil.
# %%
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

let x = linspace(0.0, 1.0, n)
let u0 = sin(pi * x)
let u = diffuse(u0, steps)

# A sine keeps its form; each step multiplies it by 1 - 4 k sin^2(pi h / 2).
let h = 1.0 / (n - 1)
let factor = (1 - 4 * k * sin(pi * h / 2)^2)^steps
print("largest error:", max(abs(u - factor * u0)))
assert max(abs(u - factor * u0)) < 1e-10
