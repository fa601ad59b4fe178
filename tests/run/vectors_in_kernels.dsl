# Small vectors and matrices in kernels, parallel for and what they call: each thread computes what a function does outside of them
struct Body { pos: f64[3], vel: f64[3], mass: f64 = 1.0 }
struct Point { x: f64, y: f64 }
fn ev(x: f64[n], i: int) -> f64[3] = [x[i], 2 * x[i], f64(i)]
# Returns from within branches and loops
fn folded(x: f64[3], t: f64) -> f64[3] {
    if t > 2 { return -x }
    var y = x
    for k in 0:3 {
        if k == 2 and t > 1 { return y + x }
        y[k] += t
    }
    return y
}
fn both(x: f64[3]) -> (f64[3], f64) {
    if x[0] > 1 { return (2 * x, 1.0) }
    return (x, x[1])
}
fn turned(b: Body, dt: f64) -> Body {
    var c = b
    c.pos = b.pos + dt * b.vel
    c.vel[1] -= dt
    return c
}
fn rotation(t: f64) -> f64[2, 2] = [[cos(t), -sin(t)], [sin(t), cos(t)]]
fn angle(t: f64) -> f64 {
    let v = rotation(t) @ [1.0, 0.5]
    var w = v
    for k in 0:3 { w = rotation(v[0]) @ w }
    return w[0] + w[1]
}
fn constant(n: int) -> f64[n] = [f64(i * i) for i in 0:n]

fn first(x: f64[n], p: f64[n, 3], a: f64[3, 3], i: int) -> (f64[3], f64) {
    let v = ev(x, i)
    var u = a @ p[i]
    let d = p[i] - p[0]
    let c = [cos(x[k] * i) for k in 0:3]
    let w: f64[3] = [x[i], 1.0, x[i] * x[i]]
    u += cross(v, d) + folded(c, x[i])
    let m = [[1.0, x[i], 0.0], w, p[i]]
    let (q, s) = both(u)
    let (r, t) = both(m @ q)
    let mm = m @ a + eye(3)
    let g = sum(mm, axis=0) + max(mm, axis=1) + q @ mm
    let e = if i > 3 { g } else { cross(g, w) }
    var b = Body(pos=e, vel=w, mass=2.0)
    for j in 0:3 {
        b = turned(b, 0.1)
        if j == 1 { b = Body(b.vel, b.pos, b.mass + 1) }
    }
    var (h, l) = (b.pos, b.vel)
    (h, l) = (l, h)
    let rows = [folded(m[k], f64(k)) for k in 0:3]
    let y = h + l * 2 + reshape(rows, 9)[2:5]
    return (y, s + t + sum(d^2) + norm(q - r) + b.mass + sum(outer(h, l)) + trace(rows))
}
kernel firsts(y: out f64[n, 3], z: out f64[n], x: f64[n], p: f64[n, 3], a: f64[3, 3]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        let (v, s) = first(x, p, a, i)
        y[i] = v
        z[i] = s
    }
}

fn second(m: f64[3, 3], b: f64[3], i: int) -> f64[3] {
    assert b[0] < 100, f"b is {b[0]:.2f} at {i}"
    let x = solve(m, b)
    let k = inv(m) @ b
    let many = solve(m, [[b[0], 1.0], [b[1], 0.0], [b[2], f64(i)]])
    var s = zeros(f64, 3)
    s[0:2] = (x + k)[1:]
    s[2] = det(m) + angle(b[0]) + sum(constant(5)) + sum(many)
    s[:] += full(0.5, 3) + ones(f64, 3)
    return transpose(reshape(s, 1, 3), 1, 0)[:, 0]
}
kernel seconds(y: inout f64[n, 3], m: f64[n, 3, 3], b: f64[n, 3]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i, :] = second(m[i], b[i], i) }
}

# Arrays of a thread on both sides of a barrier
kernel around(y: out f64[n, 2], p: f64[n, 2]) {
    shared s: f64[8, 2]
    let t = thread.x
    let i = block.x * 8 + t
    var v = rotation(f64(t)) @ p[i]
    s[t] = v
    barrier
    v = v + s[(t + 1) % 8] - 2 * s[(t + 7) % 8]
    for k in 0:2 {
        barrier
        s[t] = v
        barrier
        v += s[(t + k) % 8]
    }
    y[i] = v
}
fn around_outside(p: f64[n, 2]) -> f64[n, 2] {
    var y = zeros(f64, n, 2)
    for b in 0:n // 8 {
        var v = [rotation(f64(t)) @ p[8 * b + t] for t in 0:8]
        v = [v[t] + v[(t + 1) % 8] - 2 * v[(t + 7) % 8] for t in 0:8]
        for k in 0:2 { v = [v[t] + v[(t + k) % 8] for t in 0:8] }
        y[8 * b : 8 * b + 8] = v
    }
    return y
}

# Sizes of a function that calls with constants are constants; other types; structs of numbers in small arrays
fn lengths(p: f32[n, d], rows: int) -> f32[n] {
    var r = zeros(f32, n)
    parallel for i in 0:n {
        var best = p[i] * 0
        for j in 0:rows {
            let e = p[j] - p[i]
            if e @ e > best @ best { best = e }
        }
        r[i] = sqrt(best @ best)
    }
    return r
}
fn points(n: int) -> f64[n] {
    var r = zeros(f64, n)
    parallel for i in 0:n {
        let t = [Point(f64(k), f64(i)) for k in 0:2]
        var moved = t
        moved[1].y += 2
        moved[0] = Point(1.0, t[1].x)
        let z = [1im, f64(i) + 0im] * (2 - 1im)
        r[i] = moved[0].x + moved[0].y + moved[1].y + real(sum(z))
    }
    return r
}
fn counts(a: int[n, 4]) -> int[n] {
    var r = zeros(int, n)
    parallel for i in 0:n {
        var c = [0, 0, 0]
        for k in 0:4 { c[a[i, k] % 3] += 1 }
        let most = max(c)
        r[i] = 100 * c[0] + 10 * c[1] + c[2] + (if any(c == 2) { 1000 } else { 0 }) + 10000 * most
    }
    return r
}

let n = 16
let x = [0.5 * i for i in 0:n]
let p = [[sin(f64(i + 3 * j)) for j in 0:3] for i in 0:n]
let a = [[1.0, 2.0, 0.5], [0.0, 1.0, -1.0], [2.0, 0.25, 3.0]]
var y = zeros(f64, n, 3)
var z = zeros(f64, n)
launch firsts[2, 8](y, z, x, p, a)
var y_outside = zeros(f64, n, 3)
var z_outside = zeros(f64, n)
for i in 0:n {
    let (v, s) = first(x, p, a, i)
    y_outside[i] = v
    z_outside[i] = s
}
print(max(abs(y - y_outside)) < 1e-9, max(abs(z - z_outside)) < 1e-9, f"{sum(y):.6f} {sum(z):.6f}")

let m = [[[sin(f64(7 * i + 3 * j + k * k)) + (if j == k { 2.0 } else { 0.0 }) for k in 0:3] for j in 0:3] for i in 0:n]
let b = [[f64(i - j) for j in 0:3] for i in 0:n]
launch seconds[2, 8](y, m, b)
for i in 0:n { y_outside[i] = second(m[i], b[i], i) }
print(max(abs(y - y_outside)) < 1e-9, f"{sum(y):.6f}")
var by_loop = zeros(f64, n, 3)
parallel for i in 0:n { by_loop[i] = second(m[i], b[i], i) }
print(max(abs(by_loop - y)) == 0)
# A pivot of zero: rows change places
var swapped = zeros(f64, 2, 2)
parallel for i in 0:2 { swapped[i] = solve([[0.0, 1.0 + i], [2.0, 1.0]], [1.0 + i, 3.0]) }
var dets = zeros(f64, 2)
parallel for i in 0:2 { dets[i] = det([[0.0, 1.0, 0.0], [2.0, 1.0, f64(i)], [0.0, 5.0, 0.0 + i]]) }
print(swapped, dets)

let flat = [[cos(f64(i)), sin(f64(i))] for i in 0:n]
var turned_around = zeros(f64, n, 2)
launch around[2, 8](turned_around, flat)
print(max(abs(turned_around - around_outside(flat))) < 1e-12, f"{sum(turned_around^2):.6f}")
print(f"{sum(lengths([[f32(i), f32(i * i % 5), 1] for i in 0:n], 4)):.4f}", points(4))
print(counts([[(i * k) % 7 for k in 0:4] for i in 0:6]))
print(max(abs([angle(0.1 * i) for i in 0:5] - [angle(0.1 * i) for i in 0:5])) == 0)
