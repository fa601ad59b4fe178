# %% [markdown]
# # Conjugate gradients
# Poisson's equation on a square, without a matrix: the operator is a function.
# %%
const n = 64

## Minus the five-point Laplacian, zero outside
fn apply(u: f64[m, m]) -> f64[m, m] {
    var p = zeros(f64, m + 2, m + 2)
    p[1:m + 1, 1:m + 1] = u
    return [4 * p[i + 1, j + 1] - p[i, j + 1] - p[i + 2, j + 1] - p[i + 1, j] - p[i + 1, j + 2] for i in 0:m, j in 0:m]
}

fn solve_cg(b: f64[m, m], tolerance: f64) -> (f64[m, m], int) {
    var x = zeros(f64, m, m)
    var r = b
    var p = r
    var rr = sum(r * r)
    var count = 0
    while sqrt(rr) > tolerance and count < 10 * m {
        let ap = apply(p)
        let alpha = rr / sum(p * ap)
        x += alpha * p
        r -= alpha * ap
        let rr_new = sum(r * r)
        p = r + (rr_new / rr) * p
        rr = rr_new
        count += 1
    }
    return (x, count)
}

let b = [exp(-20 * ((f64(i) / n - 0.3)^2 + (f64(j) / n - 0.6)^2)) for i in 0:n, j in 0:n]
let (x, count) = solve_cg(b, 1e-10)
print("iterations:", count)
print("residual below 1e-9:", norm(b - apply(x)) < 1e-9)
assert norm(b - apply(x)) < 1e-9
