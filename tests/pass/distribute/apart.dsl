# The work before sums that run in order may touch the array that they are added to, at other elements: this diagonal, where the
# sums go to the one before.
# RUN: dslc --emit=loops %s -o - | FileCheck %s
# CHECK-LABEL: func @diagonal(
# CHECK: parallel({{.*}}) {kind = plain} {
# CHECK: store({{.*}}, %u
# CHECK: exp(
# CHECK: exp(
# CHECK: store({{.*}}, %{{[0-9]*}},
# CHECK: yield
# CHECK: parallel({{.*}}) {kind = plain{{.*}}} {
# CHECK-NOT: exp(
# CHECK: atomic(
# CHECK: return
export fn diagonal(u0: f64[n, n], x: f64[n, n], d: int) -> f64[n, n] {
    assert d >= 2 and d < 2 * n - 1
    var u = u0
    parallel for i in max(1, d - n + 1):min(d, n) {
        let e = u[i, d - i]
        u[i, d - i] = 0.0
        let a = exp(x[i, d - i]) * e
        let b = exp(-x[i, d - i]) * sin(e) * cos(e)
        atomic u[i - 1, d - i] += a + b
        atomic u[i, d - i - 1] += a - b
    }
    return u
}
