# What threads of a block add to shared elements, element by element: the same bits as thread by thread.  Loops up and down,
# by steps, over one index and over none, several targets, f32.
kernel rows_columns(y: out f64[n, 8, 8], x: f64[n, 4, 8, 8], s: f64[8, 8]) {
    shared f: f64[4, 8, 8]
    shared g: f64[4, 8, 8]
    let (b, i, j) = (block.x, thread.x, thread.y)
    for c in 0:4 {
        f[c, j, i] = s[i, j]
        g[c, j, i] = 0.0
    }
    barrier
    for c in 0:4 {
        for k in 0:8 {
            atomic f[c, k, i] += x[b, c, j, i] * s[k, j]
            atomic g[c, j, k] += x[b, c, j, i] * s[k, i]
        }
    }
    barrier
    y[b, j, i] = f[0, j, i] + f[1, i, j] + g[2, j, i] + g[3, j, i]
}
kernel steps(y: out f64[n, 6], z: out f32[n, 12], x: f64[n, 6, 12]) {
    shared all: f64[6]
    shared some: f32[12]
    shared more: f32[12]
    shared total: f64[1]
    let (b, i, j) = (block.x, thread.x, thread.y)
    if i == 0 { all[j] = 0.5 }
    if j == 0 { some[i] = f32(0) }
    if j == 1 { more[i] = f32(i) }
    if i + j == 0 { total[0] = 1.0 }
    barrier
    for c in 0:3 {
        for k in 1:6:2 { atomic all[k] += x[b, j, i] * exp(x[b, k, i]) / (c + 1) }
    }
    for c in 0:3 { atomic some[i] += f32(x[b, c, i] - x[b, j, i]) }
    for k in 10:0:-3 { atomic more[k] += f32(x[b, j, k] * x[b, j, i]) }
    for c in 0:5 { atomic total[0] += x[b, j, i] * c }
    barrier
    if i == 0 { y[b, j] = all[j] + total[0] }
    if j == 0 { z[b, i] = some[i] + 2 * more[i] }
}
kernel smooth(y: out f64[n, 8, 8], x: f64[n, 8, 8], d: f64[8, 8]) {
    shared u: f64[8, 8]
    let (b, i, j) = (block.x, thread.x, thread.y)
    u[j, i] = sin(x[b, j, i]) * x[b, i, j]
    barrier
    var t = 0.0
    for k in 0:8 { t += d[j, k] * u[k, i] + d[k, i] * u[j, k] }
    y[b, j, i] = t * t
}
fn smoothed(x: f64[n, 8, 8], d: f64[8, 8]) -> f64 {
    var y = zeros(f64, n, 8, 8)
    launch smooth[n, (8, 8)](y, x, d)
    return sum(y)
}
fn mix(i: int) -> f64 = f64((i * 7919 + i // 7 * 104729) % 1000003) / 1000003.0 - 0.3
let n = 50
let x = [mix(((b * 4 + c) * 8 + j) * 8 + i) for b in 0:n, c in 0:4, j in 0:8, i in 0:8]
let s = [mix(j * 8 + i + 99) for j in 0:8, i in 0:8]
var y = zeros(f64, n, 8, 8)
launch rows_columns[n, (8, 8)](y, x, s)
print(sum(y), y[3, 4, 5], sum(y[b, j, i] * (b % 7 + j * i % 5) for b in 0:n, j in 0:8, i in 0:8))
var z = zeros(f64, n, 6)
var w = zeros(f32, n, 12)
launch steps[n, (12, 6)](z, w, [mix((b * 6 + j) * 12 + i) for b in 0:n, j in 0:6, i in 0:12])
print(sum(z), z[7], w[9], sum(z[b, j] * (b % 7 + j) for b in 0:n, j in 0:6))
let (gx, gd) = grad(smoothed, wrt=(x, d))([x[b, 1, j, i] for b in 0:n, j in 0:8, i in 0:8], s)
print(sum(gx), gx[3, 4, 5], sum(gd[j, i] * (j - 2 * i) for j in 0:8, i in 0:8))
