# %% [markdown]
# # Conjugate gradients
#
# Poisson's equation $-\Delta u = f$ on a square, with $u = 0$ on its border, becomes a linear system
# $A u = b$ with $b = h^2 f$ on a grid with step $h$. $A$ has five entries in each row, so nobody stores it: the
# *operator* is a function.
# %% The operator
const n = 64

## Minus the five-point Laplacian, zero outside
fn apply(u: f64[m, m]) -> f64[m, m] {
    var p = zeros(f64, m + 2, m + 2)
    p[1:m + 1, 1:m + 1] = u
    return [4 * p[i + 1, j + 1] - p[i, j + 1] - p[i + 2, j + 1]
            - p[i + 1, j] - p[i + 1, j + 2]
            for i in 0:m, j in 0:m]
}

# %% [markdown]
# ## The method
# $A$ is symmetric and positive definite, so Hestenes and Stiefel's method (1952) applies: each step minimizes
# the error over one direction more, and needs one application of $A$ and two scalar products. `residual`
# keeps $\|b - A x\|$ after each step, for the picture below.
# %% Conjugate gradients
fn solve_cg(b: f64[m, m], tolerance: f64,
            most: int = 500) -> (f64[m, m], f64[most], int) {
    var x = zeros(f64, m, m)
    var r = b
    var p = r
    var rr = sum(r * r)
    var residual = zeros(f64, most)
    var count = 0
    while sqrt(rr) > tolerance and count < most {
        let ap = apply(p)
        let alpha = rr / sum(p * ap)
        x += alpha * p
        r -= alpha * ap
        let rr_new = sum(r * r)
        p = r + (rr_new / rr) * p
        rr = rr_new
        residual[count] = sqrt(rr)
        count += 1
    }
    return (x, residual, count)
}

# %% A warm spot
let h = 1.0 / (n + 1)
let s = [h * (i + 1) for i in 0:n]
let b = [h^2 * exp(-20 * ((p - 0.6)^2 + (q - 0.3)^2)) for q in s, p in s]
let (x, residual, count) = solve_cg(b, 1e-11 * norm(b))
print("iterations:", count)
print("relative residual below 1e-10:", norm(b - apply(x)) < 1e-10 * norm(b))
assert norm(b - apply(x)) < 1e-10 * norm(b)

# %% The solution
contour("solution.png", s, s, x, title="u", levels=12, equal=true)

# %% [markdown]
# ## How fast?
# Theory promises that the error falls at least by $(\sqrt\kappa - 1) / (\sqrt\kappa + 1)$ in each step, where
# $\kappa \approx (2 (n+1) / \pi)^2$ is the condition number of $A$. The residual does better, and speeds up
# as the slow modes are dealt with.
# %% Convergence {absolute=1e-9}
let root = 2 * (n + 1) / pi
let rate = (root - 1) / (root + 1)
let step = [f64(k) for k in 0:count]
let relative = residual[0:count] / norm(b)
plot("convergence.png", step, [relative, relative[0] * rate^step], log="y",
     names="residual, promised rate", style="line, dashed", xlabel="iterations")
