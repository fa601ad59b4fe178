# A launch that reads through a table is reversed in memory: its body once, with an update for each access, not once for each
# access and array that it writes.
# RUN: dslc --emit=par %s -o - | FileCheck %s
kernel push(y: out f64[n], z: out f64[n], x: f64[m], at: int[n, 2]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        let area = sin(x[at[i, 0]]) * x[at[i, 1]]
        y[i] = area * area
        z[i] = exp(area)
    }
}
fn total(x: f64[m], at: int[n, 2]) -> f64 {
    var y = zeros(f64, n)
    var z = zeros(f64, n)
    launch push[ceildiv(n, 64), 64](y, z, x, at)
    return sum(y) + sum(z)
}
# CHECK-LABEL: func @slope
# CHECK: atomic(
# CHECK: cos(
# CHECK: atomic(
# CHECK-NOT: atomic(
# CHECK-NOT: cos(
# CHECK: return
export fn slope(x: f64[m], at: int[n, 2]) -> f64[m] = grad(total, wrt=x)(x, at)

# What is read beside the thread's own place is gathered.
kernel smooth(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i >= 1 and i < n - 1 { y[i] = x[i - 1] * x[i + 1] }
}
fn smoothed(x: f64[n]) -> f64 {
    var y = x
    launch smooth[ceildiv(n, 64), 64](y, x)
    return sum(y)
}
# CHECK-LABEL: func @beside
# CHECK-NOT: atomic(
# CHECK: generate
# CHECK-NOT: atomic(
# CHECK: return
export fn beside(x: f64[n]) -> f64[n] = grad(smoothed)(x)
