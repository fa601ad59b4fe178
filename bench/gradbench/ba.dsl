# GradBench ba: bundle adjustment, the errors of p observations of m points by n cameras, and their sparse jacobian

struct Vec { x: f64, y: f64, z: f64 }
fn dot(a: Vec, b: Vec) -> f64 = a.x * b.x + a.y * b.y + a.z * b.z
fn cross(a: Vec, b: Vec) -> Vec = Vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
fn plus(a: Vec, b: Vec) -> Vec = Vec(a.x + b.x, a.y + b.y, a.z + b.z)
fn times(s: f64, a: Vec) -> Vec = Vec(s * a.x, s * a.y, s * a.z)

## x turned around the axis r by the angle |r|
fn rotated(r: Vec, x: Vec) -> Vec {
    let square = dot(r, r)
    if square == 0 { return plus(x, cross(r, x)) }
    let angle = sqrt(square)
    let u = times(1 / angle, r)
    return plus(times(cos(angle), x), plus(times(sin(angle), cross(u, x)), times(dot(u, x) * (1 - cos(angle)), u)))
}

## How far observation i is from where its camera sees its point. A camera is its rotation 0:3, centre 3:6, focal length, principal
## point 7:9, radial distortion 9:11.
fn misfit(cam: f64[p, 11], point: f64[p, 3], w: f64[p], feature: f64[p, 2], i: int) -> (f64, f64) {
    let x = Vec(point[i, 0] - cam[i, 3], point[i, 1] - cam[i, 4], point[i, 2] - cam[i, 5])
    let seen = rotated(Vec(cam[i, 0], cam[i, 1], cam[i, 2]), x)
    let (a, b) = (seen.x / seen.z, seen.y / seen.z)
    let square = a^2 + b^2
    let scale = cam[i, 6] * (1 + cam[i, 9] * square + cam[i, 10] * square^2)
    return (w[i] * (scale * a + cam[i, 7] - feature[i, 0]), w[i] * (scale * b + cam[i, 8] - feature[i, 1]))
}
fn misfits(cam: f64[p, 11], point: f64[p, 3], w: f64[p], feature: f64[p, 2]) -> (f64, f64)[p] =
    [misfit(cam, point, w, feature, i) for i in 0:p]

## For each observation what belongs to it: row seen[i, 0] of cams, ..
fn of_each(a: f64[n, k], index: int[p]) -> f64[p, k] = [a[index[i], j] for i in 0:p, j in 0:k]

## The errors of the observations, and of their weights
export fn objective(cams: f64[n, 11], points: f64[m, 3], w: f64[p], seen: int[p, 2], feature: f64[p, 2]) -> (f64[p, 2], f64[p]) {
    let e = misfits(of_each(cams, seen[:, 0]), of_each(points, seen[:, 1]), w, feature)
    return ([if r == 0 { e[i].0 } else { e[i].1 } for i in 0:p, r in 0:2], 1 - w^2)
}

## The jacobian by rows: where each begins, columns, values. An observation depends on its own camera, point and weight alone, so
## the gradient of the sum of all first errors has in it the row of each, and that of the second ones.
export fn jacobian(cams: f64[n, 11], points: f64[m, 3], w: f64[p], seen: int[p, 2], feature: f64[p, 2]) -> (int[rows], int[entries], f64[entries]) {
    let cam = of_each(cams, seen[:, 0])
    let point = of_each(points, seen[:, 1])
    let first = fn(c: f64[p, 11], x: f64[p, 3], w: f64[p]) => sum(misfit(c, x, w, feature, i).0 for i in 0:p)
    let second = fn(c: f64[p, 11], x: f64[p, 3], w: f64[p]) => sum(misfit(c, x, w, feature, i).1 for i in 0:p)
    let (ac, ax, aw) = grad(first)(cam, point, w)
    let (bc, bx, bw) = grad(second)(cam, point, w)
    let errors = [if r == 0 { if k < 11 { ac[i, k] } else if k < 14 { ax[i, k - 11] } else { aw[i] } }
                  else if k < 11 { bc[i, k] } else if k < 14 { bx[i, k - 11] } else { bw[i] } for i in 0:p, r in 0:2, k in 0:15]
    let slots = [if k < 11 { 11 * seen[i, 0] + k } else if k < 14 { 11 * n + 3 * seen[i, 1] + k - 11 } else { 11 * n + 3 * m + i }
                 for i in 0:p, r in 0:2, k in 0:15]
    let weights = [11 * n + 3 * m + i for i in 0:p]
    let starts = [if r <= 2 * p { 15 * r } else { 28 * p + r } for r in 0:3 * p + 1]
    return (starts, concat(reshape(slots, 30 * p), weights), concat(reshape(errors, 30 * p), -2 * w))
}

test "against differences, also of a camera without rotation" {
    let (n, m, p) = (3, 4, 6)
    let seen = [if j == 0 { i % n } else { i % m } for i in 0:p, j in 0:2]
    var cams = 0.3 * randn(1, n, 11)
    cams[1, 0:3] = 0
    let points = randn(2, m, 3) + [0.0, 0.0, 4.0]
    let w = rand(3, p)
    let feature = randn(4, p, 2)
    let (rows, cols, vals) = jacobian(cams, points, w, seen, feature)
    assert len(rows) == 3 * p + 1 and rows[0] == 0 and rows[3 * p] == 31 * p and len(vals) == 31 * p
    var dense = zeros(f64, 3 * p, 11 * n + 3 * m + p)
    for r in 0:3 * p { for e in rows[r]:rows[r + 1] { dense[r, cols[e]] += vals[e] } }
    let at = concat(concat(flatten(cams), flatten(points)), w)
    let h = 1e-6
    for k in 0:len(at) {
        var e = zeros(f64, len(at))
        e[k] = h
        let (u, v) = (at + e, at - e)
        let (up, wup) = objective(reshape(u[:11 * n], n, 11), reshape(u[11 * n:11 * n + 3 * m], m, 3), u[11 * n + 3 * m:], seen, feature)
        let (down, wdown) = objective(reshape(v[:11 * n], n, 11), reshape(v[11 * n:11 * n + 3 * m], m, 3), v[11 * n + 3 * m:], seen, feature)
        let d = concat(flatten(up - down), wup - wdown) / (2 * h)
        assert all(abs(dense[:, k] - d) < 1e-6 * (1 + abs(d)))
    }
}
