# The gradient of an energy of pairs is the sum of forces, however it is written
fn lj(r2: f64) -> f64 {
    let s = 1 / (r2 + 0.5)
    return 2 * s^3 - 1.5 * s^2
}
fn slope(r2: f64) -> f64 {
    let s = 1 / (r2 + 0.5)
    return -6 * s^4 + 3 * s^3
}

# By hand: each pair, from both sides
fn by_hand(x: f64[n, d]) -> f64[n, d] {
    var g = zeros(f64, n, d)
    for i in 0:n { for j in 0:n {
        let f = 2 * slope(sum((x[i] - x[j])^2)) * (x[i] - x[j])
        g[i] += f
        g[j] -= f
    } }
    return g
}

fn rows(x: f64[n, 3]) -> f64 = sum(lj(sum((x[i] - x[j])^2)) for i in 0:n, j in 0:n)
fn parts(x: f64[n, 3]) -> f64 = sum([lj(sum((x[i, :] - x[j, :])^2)) for i in 0:n, j in 0:n])
fn columns(x: f64[n, 3]) -> f64 =
    sum(lj((x[i, 0] - x[j, 0])^2 + (x[i, 1] - x[j, 1])^2 + (x[i, 2] - x[j, 2])^2) for i in 0:n, j in 0:n)
fn sums(x: f64[n, 3]) -> f64 = sum(sum(lj(sum((x[i] - x[j])^2)) for j in 0:n) for i in 0:n)
fn unequal(x: f64[n, 3]) -> f64 = sum(if i != j { lj(sum((x[i] - x[j])^2)) } else { 0.0 } for i in 0:n, j in 0:n)
fn below(x: f64[n, 3]) -> f64 = 2 * sum(if i < j { lj(sum((x[i] - x[j])^2)) } else { 0.0 } for i in 0:n, j in 0:n)
fn behind(x: f64[n, 3]) -> f64 = 2 * sum(sum(lj(sum((x[i] - x[j])^2)) for j in i + 1:n) for i in 0:n)
fn loops(x: f64[n, 3]) -> f64 {
    var e = 0.0
    for i in 0:n { for j in 0:n { e += lj(sum((x[i] - x[j])^2)) } }
    return e
}
fn loops_of_parts(x: f64[n, 3]) -> f64 {
    var e = 0.0
    for i in 0:n { for j in 0:n {
        var r2 = 0.0
        for c in 0:3 {
            let d = x[i, c] - x[j, c]
            r2 += d * d
        }
        e += lj(r2)
    } }
    return e
}
fn loops_behind(x: f64[n, 3]) -> f64 {
    var e = 0.0
    for i in 0:n { for j in i + 1:n {
        let d = x[i] - x[j]
        e += 2 * lj(sum(d * d))
    } }
    return e
}
kernel potential(e: out f64[n], x: f64[n, 3]) {
    let i = block.x * 4 + thread.x
    if i < n {
        var s = 0.0
        for j in 0:n { if j != i {
            let dx = x[i, 0] - x[j, 0]
            let dy = x[i, 1] - x[j, 1]
            let dz = x[i, 2] - x[j, 2]
            s += lj(dx * dx + dy * dy + dz * dz)
        } }
        e[i] = s
    }
}
fn launched(x: f64[n, 3]) -> f64 {
    var e = zeros(f64, n)
    launch potential[ceildiv(n, 4), 4](e, x)
    return sum(e)
}
fn of_axes(x: f64[n], y: f64[n], z: f64[n]) -> f64 =
    sum(lj((x[i] - x[j])^2 + (y[i] - y[j])^2 + (z[i] - z[j])^2) for i in 0:n, j in 0:n)
fn three(x: f64[n, 3]) -> f64 = of_axes(x[:, 0], x[:, 1], x[:, 2])
fn turned(x: f64[3, n]) -> f64 = sum(lj(sum((x[:, i] - x[:, j])^2)) for i in 0:n, j in 0:n)
fn plane(x: f64[n, 2]) -> f64 = sum(lj(sum((x[i] - x[j])^2)) for i in 0:n, j in 0:n)

fn points(n: int, d: int) -> f64[n, d] = [f64((i * 3 + c) * 7919 % 1009) / 200 for i in 0:n, c in 0:d]
fn far(a: f64[n, d], b: f64[n, d]) -> f64 = max(abs(a - b)) / (1 + max(abs(b)))
fn all_of(n: int) {
    let x = points(n, 3)
    let g = by_hand(x)
    let t = x.T
    print(far(grad(rows)(x), g) < 1e-13, far(grad(parts)(x), g) < 1e-13, far(grad(columns)(x), g) < 1e-13)
    print(far(grad(sums)(x), g) < 1e-13, far(grad(unequal)(x), g) < 1e-13, far(grad(below)(x), g) < 1e-13)
    print(far(grad(behind)(x), g) < 1e-13, far(grad(loops)(x), g) < 1e-13, far(grad(loops_of_parts)(x), g) < 1e-13)
    print(far(grad(loops_behind)(x), g) < 1e-13, far(grad(launched)(x), g) < 1e-13, far(grad(three)(x), g) < 1e-13)
    print(far(grad(turned)(t).T, g) < 1e-13, far(grad(plane)(points(n, 2)), by_hand(points(n, 2))) < 1e-13)
}
all_of(1)
all_of(5)
all_of(29)

# Not even: masses, a box that repeats, f32, a function that is not of the distance
fn gravity(x: f64[n, 3], m: f64[n]) -> f64 = sum(-m[i] * m[j] / sqrt(sum((x[i] - x[j])^2) + 0.01) for i in 0:n, j in 0:n)
fn box(x: f64[n, 3]) -> f64 = sum(lj(sum((x[i] - x[j] - 3 * round((x[i] - x[j]) / 3))^2)) for i in 0:n, j in 0:n)
fn springs(x: f64[n, 3]) -> f64 = sum((norm(x[i] - x[j]) - 1)^2 for i in 0:n, j in 0:n)
fn uneven(x: f64[n, 3]) -> f64 = sum(exp(-(x[i, 0] - x[j, 1])^2) * x[i, 2] for i in 0:n, j in 0:n)
fn single(x: f32[n, 3]) -> f32 = sum(1 / (1 + sum((x[i] - x[j])^2)) for i in 0:n, j in 0:n)
let x = points(11, 3)
let m = [1.0 + i / 10 for i in 0:11]
print(check_grad(fn(v) => gravity(reshape(v, 11, 3), m), flatten(x)) < 1e-6, check_grad(fn(v) => gravity(x, v), m) < 1e-6)
print(check_grad(fn(v) => box(reshape(v, 11, 3)), flatten(x)) < 1e-6, check_grad(fn(v) => springs(reshape(v, 11, 3)), flatten(x)) < 1e-6)
print(check_grad(fn(v) => uneven(reshape(v, 11, 3)), flatten(x)) < 1e-6)
print(f"{max(abs(grad(single)([f32(x[i, c]) for i in 0:11, c in 0:3]))):.4f}")
print(f"{grad(fn(y) => sum(grad(rows)(y)^2))(points(4, 3))[1, 0]:.8f}")
