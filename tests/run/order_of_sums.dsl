# Sums of floats into one shared array, by two statements: each thread does both before the next one (a), or all threads the first
# before any does the second (b); a barrier in a loop.  The bits are those of this order at every stage.
kernel a(z: out f32[n, 12], x: f32[n, 6, 12]) {
    shared some: f32[12]
    let (b, i, j) = (block.x, thread.x, thread.y)
    if j == 0 { some[i] = f32(0) }
    barrier
    for c in 0:3 { atomic some[i] += x[b, c, i] - x[b, j, i] }
    for k in 10:0:-3 { atomic some[k] += x[b, j, k] * x[b, j, i] }
    barrier
    if j == 0 { z[b, i] = some[i] }
}
kernel b(z: out f32[n, 12], x: f32[n, 6, 12]) {
    shared some: f32[12]
    let (b, i, j) = (block.x, thread.x, thread.y)
    if j == 0 { some[i] = f32(0) }
    barrier
    for c in 0:3 { atomic some[i] += x[b, c, i] - x[b, j, i] }
    barrier
    for k in 10:0:-3 { atomic some[k] += x[b, j, k] * x[b, j, i] }
    barrier
    if j == 0 { z[b, i] = some[i] }
}
kernel c(z: out f32[n, 12], x: f32[n, 6, 12]) {
    shared some: f32[12]
    let (b, i, j) = (block.x, thread.x, thread.y)
    if j == 0 { some[i] = f32(0) }
    barrier
    for t in 0:3 {
        atomic some[i] += x[b, j, i] * f32(1.37) ^ t
        if i > t { atomic some[11 - i] += x[b, j, i] * f32(0.3) }
        barrier
    }
    if j == 0 { z[b, i] = some[i] }
}
fn mix(i: int) -> f32 = f32(f64((i * 7919 + i // 7 * 104729) % 1000003) / 1000003.0 - 0.3)
let x = [mix((b * 6 + j) * 12 + i) for b in 0:3, j in 0:6, i in 0:12]
var z = zeros(f32, 3, 12)
launch a[3, (12, 6)](z, x)
print(z[0])
launch b[3, (12, 6)](z, x)
print(z[0])
launch c[3, (12, 6)](z, x)
print(z[0])
