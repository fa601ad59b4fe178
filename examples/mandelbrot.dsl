# %% [markdown]
# # The Mandelbrot set
#
# The points $c$ of the plane for which $z \mapsto z^2 + c$, from $z = 0$, never leaves the circle of radius
# 2. Those outside are coloured by how many steps they take to leave it.
# %% Escape
const width = 640
const height = 480
const limit = 200

## Number of steps until z*z + c leaves the circle of radius 2
fn escape(cx: f64, cy: f64) -> int {
    var x = 0.0
    var y = 0.0
    var k = 0
    while k < limit and x * x + y * y <= 4 {
        let t = x * x - y * y + cx
        y = 2 * x * y + cy
        x = t
        k += 1
    }
    return k
}

# %% The picture
let x = [-2.2 + 3.2 * i / width for i in 0:width]
let y = [-1.2 + 2.4 * j / height for j in 0:height]
let steps = [escape(cx, cy) for cy in y, cx in x]
print("inside:", sum(where(steps == limit, 1, 0)), "of", width * height)
image("mandelbrot.png", x, y, log(1.0 + f64(steps)), title="log of steps", equal=true)

# %% [markdown]
# ## Its area
# The share of grid points that never leave estimates the area, known from large computations to be 1.50659
# (Förstemann 2012). Points that leave only after more than `limit` steps are counted in, so the estimate is a
# little high.
# %% Area
let area = sum(where(steps == limit, 1, 0)) * (3.2 / width) * (2.4 / height)
print("area:", area)
assert abs(area - 1.50659) < 0.02 + 10.0 / width
