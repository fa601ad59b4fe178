# What neighbours compute again is kept for a few rows: stencils of what costs something, of several ranks, types and
# directions, with borders, in kernels, comprehensions and gradients.
fn bump(x: f64) -> f64 = sqrt(1.0 + x * x) / (2.0 + x * x)
fn noise(i: int) -> f64 = f64((i * 7919 + 13) % 1009) / 1009.0 - 0.5

# across rows and along them
fn cross(a: f64[n, m]) -> f64[n - 2, m - 2] =
    [bump(a[i, j + 1]) + bump(a[i + 2, j + 1]) + bump(a[i + 1, j]) + bump(a[i + 1, j + 2]) - 4.0 * bump(a[i + 1, j + 1])
        for i in 0:n - 2, j in 0:m - 2]
# along rows alone, down columns alone
fn along(a: f64[n, m]) -> f64[n, m - 3] = [exp(a[i, j]) * 2.0 - exp(a[i, j + 3]) for i in 0:n, j in 0:m - 3]
fn down(a: f64[n, m]) -> f64[n - 2, m] = [exp(a[i + 2, j]) - 3.0 * exp(a[i, j]) for i in 0:n - 2, j in 0:m]
# with indices that run backward, and a value that a row has
fn back(a: f64[n, m], w: f64[n]) -> f64[n - 1, m - 1] =
    [bump(a[n - 1 - i, j + 1] * w[j % 2]) + bump(a[n - 2 - i, j] * w[j % 2]) + w[i] * (bump(a[n - 1 - i, j]) - bump(a[n - 1 - i, j + 1]))
        for i in 0:n - 1, j in 0:m - 1]
# coordinates count too
fn places(a: f64[n, m]) -> f64[n - 1, m - 1] =
    [exp(a[i, j] + sin(0.1 * f64(i)) * f64(j)) - exp(a[i + 1, j + 1] + sin(0.1 * f64(i + 1)) * f64(j + 1))
        for i in 0:n - 1, j in 0:m - 1]
# three axes, f32
fn cube(a: f32[l, n, m]) -> f32[l - 2, n - 2, m - 2] =
    [exp(a[k + 1, i + 1, j]) + exp(a[k + 1, i + 1, j + 2]) + exp(a[k + 1, i, j + 1]) + exp(a[k + 1, i + 2, j + 1]) - exp(a[k, i + 1, j + 1])
        for k in 0:l - 2, i in 0:n - 2, j in 0:m - 2]
# a sign in front of either side of a product
fn signs(a: f64[n, m]) -> f64[n - 1, m] =
    [(-bump(a[i, j]) / (1.0 + a[i, j]^2)) * a[i + 1, j] - (bump(a[i + 1, j]) / (1.0 + a[i + 1, j]^2)) * a[i, j] for i in 0:n - 1, j in 0:m]

kernel flux(out_: inout f64[n, m], h: f64[n, m], u: f64[n, m]) {
    let j = block.x * blockdim.x + thread.x
    let i = block.y * blockdim.y + thread.y
    if i >= 1 and i < n - 1 and j >= 1 and j < m - 1 {
        let west = u[i, j] / (1.0 + h[i, j - 1]^2) * sqrt(1.0 + h[i, j]^2)
        let east = u[i, j + 1] / (1.0 + h[i, j]^2) * sqrt(1.0 + h[i, j + 1]^2)
        let south = u[i - 1, j] / (1.0 + h[i - 1, j]^2) / 3.0 * sqrt(1.0 + h[i, j]^2)
        let north = u[i, j] / (1.0 + h[i, j]^2) / 3.0 * sqrt(1.0 + h[i + 1, j]^2)
        out_[i, j] = h[i, j] - 0.1 * (east - west + (north - south))
    }
}
fn flow(h: f64[n, m], u: f64[n, m], steps: int) -> f64 {
    var now = h
    for t in 0:steps {
        var next = now
        launch flux[(ceildiv(m, 16), ceildiv(n, 4)), (16, 4)](next, now, u)
        now = next
    }
    return sum(now^2)
}
let slope = grad(flow, wrt=(h, u))

fn show(name: str, a: f64[n, m]) {
    print(name, n, m, sum(a), sum(a * [f64(3 * i + j) for i in 0:n, j in 0:m]))
}
arg rows: int = 45
arg columns: int = 37
let a = [noise(i * columns + j) for i in 0:rows, j in 0:columns]
show("cross", cross(a))
show("along", along(a))
show("down", down(a))
show("back", back(a, [0.5 + noise(i) for i in 0:rows]))
show("places", places(a))
show("signs", signs(a))
let c = cube([f32(noise(k * 700 + i * 31 + j)) for k in 0:5, i in 0:rows, j in 0:columns])
print("cube", sum([f64(c[k, i, j]) * f64(k + 2 * i + 3 * j) for k in 0:3, i in 0:rows - 2, j in 0:columns - 2]))
# edges that are not there: nothing is computed for rows or columns that nobody has
show("narrow", cross(a[0:3, 0:3]))
show("one row", cross(a[0:3, :]))
show("no row", cross(a[0:2, :]))
show("no column", along(a[:, 0:3]))
print("flow", flow(a, a + 1.0, 3))
let (gh, gu) = slope(a, a + 1.0, 3)
show("by h", gh)
show("by u", gu)
let h = 1e-6
let d = [noise(7 * i + j) for i in 0:rows, j in 0:columns]
let difference = (flow(a + h * d, a + 1.0 - h * d, 3) - flow(a - h * d, a + 1.0 + h * d, 3)) / (2.0 * h)
print("agrees with differences", abs(difference - sum(gh * d) + sum(gu * d)) < 1e-6 * abs(difference))
let small = a[0:4, 0:5]
let (sh, su) = slope(small, small + 1.0, 2)
show("small", sh)
# what is not a number stays where it is
var holes = a
holes[20, 20] = nan
holes[0, 0] = inf
print("holes", sum(where(isnan(cross(holes)), 1, 0)), sum(where(isnan(along(holes)), 1, 0)))
