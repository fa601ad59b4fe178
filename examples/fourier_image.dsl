# %% [markdown]
# # An image from few Fourier samples
#
# A scanner measures the Fourier transform of an image, one coefficient after the other; half of the time is saved where half of them are left
# out. Zeros in their place blur and stain the image. Better is the image that has the coefficients which were measured and, among those, few
# edges: least of
#
# $$\tfrac12 \| M (F u - y) \|^2 + \lambda \sum \sqrt{|\nabla u|^2 + \epsilon^2}.$$
#
# Its gradient runs through the transform; `lbfgs` does the rest.
# %% The image and what is measured
const n = 64

## An ellipse around (p, q) with half axes a, b, that adds h
fn ellipse(x: f64, y: f64, p: f64, q: f64, a: f64, b: f64, h: f64) -> f64 = if ((x - p) / a)^2 + ((y - q) / b)^2 <= 1 { h } else { 0.0 }
fn shade(x: f64, y: f64) -> f64 {
    return ellipse(x, y, 0.0, 0.0, 0.8, 0.9, 1.0) + ellipse(x, y, 0.0, 0.0, 0.7, 0.8, -0.6) + ellipse(x, y, -0.25, 0.1, 0.15, 0.35, 0.3) +
           ellipse(x, y, 0.25, 0.1, 0.15, 0.35, -0.2) + ellipse(x, y, 0.0, -0.5, 0.25, 0.12, 0.4)
}
let axis = [(2 * i + 1) / n - 1.0 for i in 0:n]
let truth = [shade(x, y) for y in axis, x in axis]

## How far a coefficient is from the slowest one
fn away(k: int) -> int = min(k, n - k)
let kept = [if away(i)^2 + away(j)^2 < 36 or uniform(7, i * n + j) < 0.4 { 1.0 } else { 0.0 } for i in 0:n, j in 0:n]
let measured = kept * fft2(truth)
print(f"measured: {100 * mean(kept):.0f} of 100 coefficients")

# %% [markdown]
# ## With zeros in place of the others
# %% Zeros {tolerance=1e-9, absolute=1e-9}
fn misfit(u: f64[n, n], truth: f64[n, n]) -> f64 = norm(u - truth) / norm(truth)
let blurred = real(ifft2(measured))
print(f"error: {misfit(blurred, truth):.4f}")
image("zeros.png", axis, axis, blurred, title="Zeros for what was not measured", colors="gray")

# %% [markdown]
# ## With few edges
# %% Few edges
const few = 0.02
const eps = 0.01
fn loss(u: f64[n, n], measured: c128[n, n], kept: f64[n, n]) -> f64 {
    let off = kept * fft2(u) - measured
    let dx = u[:, 1:] - u[:, :n - 1]
    let dy = u[1:] - u[:n - 1]
    return 0.5 * sum(real(off)^2 + imag(off)^2) / n^2 + few * (sum(sqrt(dx^2 + eps^2)) + sum(sqrt(dy^2 + eps^2)))
}
let found = reshape(lbfgs(fn(u) => loss(reshape(u, n, n), measured, kept), flatten(blurred), tol=1e-4, turns=300), n, n)
print(f"error below a fifth of that of zeros: {misfit(found, truth) < 0.2 * misfit(blurred, truth)}")
assert misfit(found, truth) < 0.2 * misfit(blurred, truth)

# %% Found {tolerance=1e-2, absolute=1e-2}
image("found.png", axis, axis, found, title="Few edges", colors="gray")
