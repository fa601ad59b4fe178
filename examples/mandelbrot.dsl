# %% [markdown]
# # The Mandelbrot set
# %%
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

let steps = [escape(-2.2 + 3.2 * i / width, -1.2 + 2.4 * j / height) for j in 0:height, i in 0:width]
print("inside:", sum(where(steps == limit, 1, 0)), "of", width * height)
image("mandelbrot.png", log(1.0 + f64(steps)), "log of steps")
