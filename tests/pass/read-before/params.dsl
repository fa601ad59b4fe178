# Parameters in an array: the derivative of a launch that reads them at known places has no atomic updates.
# RUN: dslc --emit=grad %s -o - | FileCheck %s
# CHECK-LABEL: func @slopes(
# CHECK-NOT:   atomic
# CHECK:       reduce(
# CHECK-NOT:   atomic
# CHECK:       return
# CHECK-LABEL: func @chosen(
# CHECK:       atomic
kernel step(v: out f64[n, m], u: f64[n, m], p: f64[k], at: int) {
    let i = block.y * 16 + thread.y
    let j = block.x * 16 + thread.x
    if i < n and j < m { v[i, j] = p[1] * u[i, j] + p[at] * (u[(i - 1) % n, j] + u[(i + 1) % n, j] - p[0] * u[i, j]) }
}
fn loss(u: f64[n, m], p: f64[3], at: int) -> f64 {
    var v = zeros(f64, n, m)
    if at >= 0 and at < 3 { launch step[(ceildiv(m, 16), ceildiv(n, 16)), (16, 16)](v, u, p, at) }
    return sum(v ^ 2)
}
export fn slopes(u: f64[n, m], p: f64[3]) -> (f64[n, m], f64[3]) = grad(fn(u, p) => loss(u, p, 2))(u, p)
# An index that each thread finds
kernel pick(v: out f64[n], u: f64[n], p: f64[k], which: int[n]) {
    let i = block.x * 16 + thread.x
    if i < n { v[i] = p[clamp(which[i], 0, k - 1)] * u[i] }
}
export fn chosen(u: f64[n], p: f64[3], which: int[n]) -> f64[3] = grad(fn(p) => picked(u, p, which))(p)
fn picked(u: f64[n], p: f64[3], which: int[n]) -> f64 {
    var v = zeros(f64, n)
    launch pick[ceildiv(n, 16), 16](v, u, p, which)
    return sum(v ^ 2)
}
