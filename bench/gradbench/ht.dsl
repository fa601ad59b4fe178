# GradBench ht: hand tracking, how far points of a bent hand are from measured ones, and the jacobian by the hand's pose

fn turned_x(a: f64) -> f64[4, 4] = [[1, 0, 0, 0], [0, cos(a), -sin(a), 0], [0, sin(a), cos(a), 0], [0, 0, 0, 1]]
fn turned_y(a: f64) -> f64[4, 4] = [[cos(a), 0, sin(a), 0], [0, 1, 0, 0], [-sin(a), 0, cos(a), 0], [0, 0, 0, 1]]
fn turned_z(a: f64) -> f64[4, 4] = [[cos(a), -sin(a), 0, 0], [sin(a), cos(a), 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]

## The rotation around r by the angle |r|
fn rotation(r: f64[3]) -> f64[3, 3] {
    let angle = norm(r)
    if angle < 1e-4 { return eye(3) }
    let u = r / angle
    let cross = [[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]]
    return cos(angle) * eye(3) + (1 - cos(angle)) * outer(u, u) + sin(angle) * cross
}

## The angles of each bone. Each of five fingers has four bones, of which the first does not move, and four angles.
fn angles(theta: f64[26], bones: int) -> f64[bones, 3] {
    var a = zeros(f64, bones, 3)
    for finger in 0:5 {
        let bone = 2 + 4 * finger
        let p = 6 + 4 * finger
        a[bone, 0] = theta[p]
        a[bone, 1] = theta[p + 1]
        a[bone + 1, 0] = theta[p + 2]
        a[bone + 2, 0] = theta[p + 3]
    }
    return a
}

## Where each vertex of the skin is: bones move with their parents, vertices with the bones around them.
fn skin(theta: f64[26], parents: int[b], base: f64[b, 4, 4], inverse: f64[b, 4, 4], rest: f64[v, 4], weights: f64[v, b], mirrored: bool) -> f64[v, 3] {
    let a = angles(theta, b)
    var bone = zeros(f64, b, 4, 4)
    for k in 0:b {
        let relative = base[k] @ (turned_z(a[k, 1]) @ turned_y(a[k, 2]) @ turned_x(a[k, 0]))
        bone[k] = if parents[k] < 0 { relative } else { bone[parents[k]] @ relative }
    }
    let blended = weights @ reshape(bone @ inverse, b, 16)
    let side = if mirrored { -1.0 } else { 1.0 }
    let at = [sum(blended[i, 4 * r + c] * rest[i, c] for c in 0:4) * (if r == 0 { side } else { 1.0 }) for i in 0:v, r in 0:3]
    return at @ rotation(theta[0:3]).T + theta[3:6]
}

## Of points that lie on vertices
export fn simple(theta: f64[26], vertex: int[c], points: f64[c, 3], parents: int[b], base: f64[b, 4, 4], inverse: f64[b, 4, 4],
                 rest: f64[v, 4], weights: f64[v, b], mirrored: bool) -> f64[3 * c] {
    let at = skin(theta, parents, base, inverse, rest, weights, mirrored)
    return reshape([points[i, r] - at[vertex[i], r] for i in 0:c, r in 0:3], 3 * c)
}

## Of points that lie in triangles, at barycentric coordinates us
export fn complicated(theta: f64[26], us: f64[c, 2], triangle: int[c], points: f64[c, 3], corners: int[t, 3], parents: int[b],
                      base: f64[b, 4, 4], inverse: f64[b, 4, 4], rest: f64[v, 4], weights: f64[v, b], mirrored: bool) -> f64[3 * c] {
    let at = skin(theta, parents, base, inverse, rest, weights, mirrored)
    let errors = [points[i, r] - us[i, 0] * at[corners[triangle[i], 0], r] - us[i, 1] * at[corners[triangle[i], 1], r]
                  - (1 - us[i, 0] - us[i, 1]) * at[corners[triangle[i], 2], r] for i in 0:c, r in 0:3]
    return reshape(errors, 3 * c)
}

export fn simple_jacobian(theta: f64[26], vertex: int[c], points: f64[c, 3], parents: int[b], base: f64[b, 4, 4], inverse: f64[b, 4, 4],
                          rest: f64[v, 4], weights: f64[v, b], mirrored: bool) -> f64[3 * c, 26] =
    jacobian(simple, wrt=theta)(theta, vertex, points, parents, base, inverse, rest, weights, mirrored)

## A point has two coordinates of its own: the first two columns are by these. Behind them is theta.
export fn complicated_jacobian(theta: f64[26], us: f64[c, 2], triangle: int[c], points: f64[c, 3], corners: int[t, 3], parents: int[b],
                               base: f64[b, 4, 4], inverse: f64[b, 4, 4], rest: f64[v, 4], weights: f64[v, b], mirrored: bool) -> f64[3 * c, 28] {
    let by_theta = jacobian(complicated, wrt=theta)(theta, us, triangle, points, corners, parents, base, inverse, rest, weights, mirrored)
    let first = jvp(complicated, wrt=us)(theta, us, triangle, points, corners, parents, base, inverse, rest, weights, mirrored, [f64(k == 0) for i in 0:c, k in 0:2]).1
    let second = jvp(complicated, wrt=us)(theta, us, triangle, points, corners, parents, base, inverse, rest, weights, mirrored, [f64(k == 1) for i in 0:c, k in 0:2]).1
    return [if j == 0 { first[i] } else if j == 1 { second[i] } else { by_theta[i, j - 2] } for i in 0:3 * c, j in 0:28]
}

test "against differences" {
    let (b, v, c, t) = (22, 9, 5, 4)
    let parents = [max(k // 2, k - 3) - 1 for k in 0:b]
    let base = [f64(i == j) + 0.2 * normal(1, 16 * k + 4 * i + j) for k in 0:b, i in 0:4, j in 0:4]
    let inverse = [f64(i == j) + 0.2 * normal(2, 16 * k + 4 * i + j) for k in 0:b, i in 0:4, j in 0:4]
    let rest = [if j == 3 { 1.0 } else { normal(3, 4 * i + j) } for i in 0:v, j in 0:4]
    let weights = rand(4, v, b) / b
    let points = randn(5, c, 3)
    let us = rand(6, c, 2)
    let theta = 0.3 * randn(7, 26)
    let corners = [(3 * i + 2 * j) % v for i in 0:t, j in 0:3]
    let triangle = [(3 * i) % t for i in 0:c]
    let vertex = [(4 * i) % v for i in 0:c]
    for mirrored in [false, true] {
        let j = complicated_jacobian(theta, us, triangle, points, corners, parents, base, inverse, rest, weights, mirrored)
        let s = simple_jacobian(theta, vertex, points, parents, base, inverse, rest, weights, mirrored)
        let h = 1e-5
        for k in 0:26 {
            let e = [if i == k { h } else { 0.0 } for i in 0:26]
            let d = (complicated(theta + e, us, triangle, points, corners, parents, base, inverse, rest, weights, mirrored)
                     - complicated(theta - e, us, triangle, points, corners, parents, base, inverse, rest, weights, mirrored)) / (2 * h)
            assert all(abs(j[:, k + 2] - d) < 1e-8 * (1 + abs(d)))
            let ds = (simple(theta + e, vertex, points, parents, base, inverse, rest, weights, mirrored)
                      - simple(theta - e, vertex, points, parents, base, inverse, rest, weights, mirrored)) / (2 * h)
            assert all(abs(s[:, k] - ds) < 1e-8 * (1 + abs(ds)))
        }
        for k in 0:2 {
            let e = [if l == k { h } else { 0.0 } for i in 0:c, l in 0:2]
            let d = (complicated(theta, us + e, triangle, points, corners, parents, base, inverse, rest, weights, mirrored)
                     - complicated(theta, us - e, triangle, points, corners, parents, base, inverse, rest, weights, mirrored)) / (2 * h)
            assert all(abs(j[:, k] - d) < 1e-8 * (1 + abs(d)))
        }
    }
}
