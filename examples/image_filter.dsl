# %% [markdown]
# # Filtering a picture
#
# A picture is a matrix of brightness from 0 (black) to 1 (white). Here it is made by a formula, saved as
# `.npy` and loaded again, so that the same notebook works on a photograph: save one with
# `numpy.save("scene.npy", picture[::-1])`, since row 0 is at the bottom.
# %% A scene
const side = 192

## A sky that brightens upwards, a disc, a striped block
fn scene(x: f64, y: f64) -> f64 {
    let disc = (x - 0.35)^2 + (y - 0.6)^2 < 0.04
    let block = x > 0.6 and x < 0.9 and y > 0.15 and y < 0.55
    if disc { return 0.9 }
    return if block { 0.2 + 0.6 * (int(x * 20) % 2) } else { 0.2 + 0.4 * y }
}
save("scene.npy", [scene(j / side, i / side) for i in 0:side, j in 0:side])
let clean: f64[rows, cols] = load("scene.npy")

# %% [markdown]
# A bad camera: noise everywhere, and one pixel of fifty is stuck at black or white.
# %% Noise
fn damaged(v: f64, i: int) -> f64 {
    let luck = uniform(3, i)
    if luck < 0.02 { return if luck < 0.01 { 0.0 } else { 1.0 } }
    return v + 0.05 * normal(4, i)
}
let noisy = [damaged(clean[i, j], i * cols + j) for i in 0:rows, j in 0:cols]
image("noisy.png", noisy, colors="gray", title="As the camera sees it")

# %% [markdown]
# ## The median
# Each pixel becomes the fifth of the nine around it in order: a stuck pixel is never in the middle. The nine
# are sorted by insertion, in memory of the thread's own.
# %% Median of 3 by 3
kernel median(result: out f64[n, m], pixels: f64[n, m]) {
    let j = block.x * blockdim.x + thread.x
    let i = block.y * blockdim.y + thread.y
    if i >= n or j >= m { return }
    var nine: f64[9]
    for k in 0:9 {
        let v = pixels[clamped(i + k // 3 - 1, n), clamped(j + k % 3 - 1, m)]
        var at = k
        while at > 0 and nine[at - 1] > v {
            nine[at] = nine[at - 1]
            at -= 1
        }
        nine[at] = v
    }
    result[i, j] = nine[4]
}

## At the border the picture goes on as it ends.
fn clamped(i: int, n: int) -> int = min(max(i, 0), n - 1)

var calm = zeros(f64, rows, cols)
launch median[(ceildiv(cols, 16), ceildiv(rows, 16)), (16, 16)](calm, noisy)

# %% [markdown]
# ## Blur
# A Gaussian of width $\sigma$ is the product of one along the rows and one along the columns, so two passes
# of $2r+1$ products do the work of $(2r+1)^2$. Each block first brings its part of a row, with $r$ pixels
# more on either side, into shared memory.
# %% Blur along rows
const radius = 3
const width = 64

kernel blur_rows(result: out f64[n, m], pixels: f64[n, m],
                 weight: f64[2 * radius + 1]) {
    shared part: f64[width + 2 * radius]
    let i = block.y
    let first = block.x * width
    for k in thread.x:width + 2 * radius:width {
        part[k] = pixels[i, clamped(first + k - radius, m)]
    }
    barrier
    let j = first + thread.x
    if j < m {
        var total = 0.0
        for k in 0:2 * radius + 1 {
            total += weight[k] * part[thread.x + k]
        }
        result[i, j] = total
    }
}

fn gaussian(sigma: f64) -> f64[2 * radius + 1] {
    let w = [exp(-0.5 * (f64(k - radius) / sigma)^2) for k in 0:2 * radius + 1]
    return w / sum(w)
}

fn blurred_rows(x: f64[n, m], sigma: f64) -> f64[n, m] {
    var y = x
    launch blur_rows[(ceildiv(m, width), n), width](y, x, gaussian(sigma))
    return y
}

fn blurred(x: f64[n, m], sigma: f64) -> f64[n, m] =
    blurred_rows(blurred_rows(x, sigma).T, sigma).T

let smooth = blurred(calm, 0.8)
image("restored.png", calm, colors="gray", title="After the median")

# %% [markdown]
# How far are they from the clean picture? The root of the mean square, everywhere and in the sky: blur takes
# noise from smooth parts, and sharpness from edges.
# %% Errors
fn distance(a: f64[n, m], b: f64[n, m]) -> f64 = sqrt(mean((a - b)^2))
fn in_sky(a: f64[n, m], b: f64[n, m]) -> f64 =
    distance(a[5 * n // 6:, :], b[5 * n // 6:, :])
print("noisy:          ", distance(noisy, clean), in_sky(noisy, clean))
print("median:         ", distance(calm, clean), in_sky(calm, clean))
print("median and blur:", distance(smooth, clean), in_sky(smooth, clean))
assert distance(calm, clean) < 0.7 * distance(noisy, clean)
assert in_sky(smooth, clean) < 0.8 * in_sky(calm, clean)

# %% [markdown]
# Two things a blur must do: leave a plain picture alone, and spread a single point to variance $\sigma^2$
# along each axis, but for what the radius cuts off.
# %% Is the blur right?
let plain = blurred(full(0.4, 20, 30), 0.8)
var point = zeros(f64, 21, 21)
point[10, 10] = 1
let spread = blurred(point, 0.8)
let spread_variance = sum(spread[i, j] * (j - 10)^2 for i in 0:21, j in 0:21)
print("variance of a point:", spread_variance, "sigma^2:", 0.8^2)
assert max(abs(plain - 0.4)) < 1e-15 and abs(sum(spread) - 1) < 1e-14
assert abs(spread_variance - 0.8^2) < 0.01

# %% [markdown]
# ## Edges
# Sobel's operators are differences along one axis, smoothed along the other; the edge is the length of the
# gradient. On a ramp it is the slope, exactly.
# %% Sobel
fn edges(x: f64[n, m]) -> f64[n - 2, m - 2] {
    return [hypot(x[i, j + 2] - x[i, j] + 2 * (x[i + 1, j + 2] - x[i + 1, j])
                      + x[i + 2, j + 2] - x[i + 2, j],
                  x[i + 2, j] - x[i, j] + 2 * (x[i + 2, j + 1] - x[i, j + 1])
                      + x[i + 2, j + 2] - x[i, j + 2]) / 8
            for i in 0:n - 2, j in 0:m - 2]
}
let ramp = [0.25 * i + 0.5 * j for i in 0:10, j in 0:10]
assert max(abs(edges(ramp) - hypot(0.25, 0.5))) < 1e-15
image("edges.png", edges(smooth), title="Edges")
