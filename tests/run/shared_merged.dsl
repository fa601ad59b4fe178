# Shared arrays that are used one after the other: of other types and shapes, in branches and loops, of sizes that only
# the launch knows; and such that are in use together
kernel phases(y: out f32[n], z: out int[n], w: out u8[n], x: f32[n]) {
    shared few: u8[64]
    shared tile: f32[64]
    shared bins: int[64]
    let t = thread.x
    let i = block.x * 64 + t
    tile[t] = if i < n { x[i] } else { f32(0) }
    barrier
    if i < n { y[i] = tile[63 - t] }
    barrier
    if t < 50 { bins[t] = t * 3 }
    barrier
    if i < n { z[i] = bins[(t + 1) % 50] }
    barrier
    if t < 60 { few[t] = u8(t) }
    barrier
    if i < n { w[i] = few[(t * 5) % 60] }
}
# A histogram, its sums in a tree, then which bins are full
kernel counts(found: out int[m, 16], total: out f64[m], full: out bool[m, 16], x: f64[n]) {
    shared bins: int[16]
    shared part: f64[32]
    shared yes: bool[16]
    let t = thread.x
    if t < 16 { bins[t] = 0 }
    barrier
    for k in 0:ceildiv(n, 32) {
        let i = k * 32 + t
        if i < n { atomic bins[(i * 7 + block.x) % 16] += 1 }
    }
    barrier
    if t < 16 { found[block.x, t] = bins[t] }
    let own = bins[t % 16]
    barrier
    part[t] = f64(own) * x[t % n]
    barrier
    var half = 16
    while half > 0 {
        if t < half { part[t] += part[t + half] }
        barrier
        half //= 2
    }
    if t == 0 { total[block.x] = part[0] }
    barrier
    if t < 16 { yes[t] = own > 6 }
    barrier
    if t < 16 { full[block.x, t] = yes[15 - t] }
}
# A transposed tile, then a row of sums: two axes of threads; only for some launches
kernel squares(y: inout f64[n, n], s: inout f32[n], x: f64[n, n], more: bool) {
    shared tile: f64[8, 9]
    shared row: f32[8, 8]
    let i = block.y * 8 + thread.y
    let j = block.x * 8 + thread.x
    tile[thread.y, thread.x] = x[i, j]
    barrier
    y[j, i] = tile[thread.y, thread.x]
    if more {
        atomic s[j] += f32(tile[thread.x, thread.y])
        barrier
        row[thread.x, thread.y] = f32(x[j, i])
        barrier
        var sum = f32(0)
        for k in 0:8 { sum += row[thread.y, k] }
        if thread.x == 0 { atomic s[i] += sum }
    }
}
# Sizes of the launch: as large, or nobody knows
kernel sizes(y: inout f64[n], m: int, l: int) {
    shared a: f64[m]
    shared b: f64[m]
    shared c: f64[l]
    let t = thread.x
    a[t] = y[t]
    barrier
    let v = a[(t + 1) % 40]
    barrier
    b[t] = v * 2
    barrier
    let w = b[(t + 1) % 40]
    barrier
    c[t] = w + 1
    barrier
    y[t] = c[(t + 2) % 40]
}
# Each turn uses both; one array lives around the other
kernel around(y: inout f64[n], x: f64[n], m: int) {
    shared a: f64[64]
    shared b: f64[64]
    let t = thread.x
    for k in 0:m {
        if k > 0 { y[block.x * 64 + t] += b[(t + k) % 64] }
        barrier
        a[t] = x[block.x * 64 + t] * k
        barrier
        b[t] = a[63 - t]
        barrier
    }
}
struct Body { x: f64, mass: f32 }
kernel bodies(y: out f64[n], x: f64[n]) {
    shared tile: Body[64]
    shared order: int[64]
    let t = thread.x
    let i = block.x * 64 + t
    tile[t] = Body(x[i], f32(t))
    barrier
    let b = tile[(t + 1) % 64]
    barrier
    order[t] = (t * 5 + int(b.mass)) % 64
    barrier
    y[i] = b.x + order[63 - t]
}
let n = 100
let x = [f32(i * i % 50) for i in 0:n]
var y = zeros(f32, n)
var z = zeros(int, n)
var w = zeros(u8, n)
launch phases[2, 64](y, z, w, x)
print(y, z, w)
var found = zeros(int, 3, 16)
var total = zeros(f64, 3)
var full = [false for i in 0:3, j in 0:16]
launch counts[3, 32](found, total, full, [f64(v) for v in x])
print(found, total, full)
let q = [f64(i * 16 + j) for i in 0:16, j in 0:16]
var p = zeros(f64, 16, 16)
var s = zeros(f32, 16)
launch squares[(2, 2), (8, 8)](p, s, q, x[3] > 1)
print(p[3], s)
var r = [f64(i) for i in 0:40]
launch sizes[1, 40](r, int(x[1]) + 39, int(x[2]) + 50)
print(r)
let u = [f64(i % 9) for i in 0:128]
var v = zeros(f64, 128)
launch around[2, 64](v, u, int(x[2]))
print(v[60:70], sum(v))
launch bodies[2, 64](v, u)
print(v[60:70], sum(v))
