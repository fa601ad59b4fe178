# %% [markdown]
# # Where the cameras stood
#
# Several cameras saw the same points. From nothing but the places of the points in the pictures, both are to be found: where the points are,
# and where each camera stood and how it was turned. That is a fit of least squares with six numbers for each camera and three for each point
# (bundle adjustment). `levenberg_marquardt` needs the jacobian of all residuals, which comes from the function that projects one point.
# %% Cameras and points
const cameras = 4
const points = 30
const size = 6 * cameras + 3 * points
const focus = 800.0 # in pixels

## p turned around w by as many radians as w is long (Rodrigues)
fn turned(w: f64[3], p: f64[3]) -> f64[3] {
    let t2 = sum(w^2)
    if t2 < 1e-20 { return p + cross(w, p) }
    let t = sqrt(t2)
    let u = w / t
    return cos(t) * p + sin(t) * cross(u, p) + (1 - cos(t)) * sum(u * p) * u
}

## Where a camera (how it is turned, where it stands) sees a point
fn seen(c: f64[6], p: f64[3]) -> f64[2] {
    let q = turned(c[0:3], p - c[3:6])
    return [focus * q[0] / q[2], focus * q[1] / q[2]]
}
fn views(s: f64[size]) -> f64[cameras, points, 2] {
    let cs = reshape(s[0:6 * cameras], cameras, 6)
    let ps = reshape(s[6 * cameras:], points, 3)
    return [seen(c, p) for c in cs, p in ps]
}

# %% [markdown]
# ## Pictures
# Cameras stand on an arc and look at a cloud of points. The places in the pictures have errors of half a pixel.
# %% Pictures
let places = flatten([[0.0, 0.3 * (i - 1.5), 0.05 * i, 1.5 * (i - 1.5), 0.2 * i, -5.0] for i in 0:cameras])
let cloud = flatten(2 * rand(1, points, 3) - 1)
let truth = concat(places, cloud)
let pictures = views(truth) + 0.5 * randn(2, cameras, points, 2)

# %% [markdown]
# ## The fit
# It begins with points and cameras some centimetres off. A picture says nothing about where all of it stands, how it is turned and how large it is: seven
# numbers are free. A little weight on staying near the start decides these.
# %% Fit {tolerance=1e-5}
let start = truth + 0.05 * randn(3, size)
fn residuals(s: f64[size], pictures: f64[cameras, points, 2], start: f64[size]) -> f64[2 * cameras * points + size] {
    return concat(flatten(views(s) - pictures), 0.01 * (s - start))
}
let best = levenberg_marquardt(fn(s) => residuals(s, pictures, start), start)
let before = sqrt(mean((views(start) - pictures)^2))
let after = sqrt(mean((views(best) - pictures)^2))
print(f"root of the mean square: {before:.1f} pixels before, {after:.3f} after")
assert after < 0.5

# %% [markdown]
# ## How far the points are from where they were
# Compared up to a motion and a scale, which a picture cannot tell: by the distances between points, over their mean.
# %% Shape {tolerance=1e-4}
fn distances(s: f64[size]) -> f64[points, points] {
    let ps = reshape(s[6 * cameras:], points, 3)
    let d = [sqrt(sum((ps[i, k] - ps[j, k])^2 for k in 0:3)) for i in 0:points, j in 0:points]
    return d / mean(d)
}
print(f"distances are off by {100 * max(abs(distances(start) - distances(truth))):.1f} % before, {100 * max(abs(distances(best) - distances(truth))):.2f} % after")
assert max(abs(distances(best) - distances(truth))) < 0.05

# %% One picture {tolerance=1e-3}
let one = figure("picture.png")
panel(one, "What the first camera sees", "pixels", "pixels")
scatter(one, views(start)[0, :, 0], views(start)[0, :, 1], name="before the fit")
scatter(one, pictures[0, :, 0], pictures[0, :, 1], name="picture")
scatter(one, views(best)[0, :, 0], views(best)[0, :, 1], name="after the fit")
draw(one)
