# What is computed before a loop, since the loop does not change it, is looked through: the covariances of a Kalman filter behind a
# measurement are two thin products in each turn, not one of whole matrices.  What turns out not to be needed before the loop goes.
# RUN: dslc --fp=reassoc --print-after=saturate --emit=par %s -o %t 2>&1 | FileCheck %s
# CHECK-LABEL: func @steps
# CHECK-NOT: dot(
# CHECK: for(
# CHECK: [[HP:%.*]] = dot(%h, [[P:%.*]]) : f64[6, n]
# CHECK-NEXT: [[KHP:%.*]] = dot(%k, [[HP]]) : f64[n, n]
# CHECK-NEXT: sub([[P]], [[KHP]])
# CHECK-NOT: dot(
# CHECK: return
export fn steps(p0: f64[n, n], k: f64[n, 6], h: f64[6, n], times: int) -> f64[n, n] {
    var p = p0
    for t in 0:times { p = p - k @ h @ p + p0 }
    return p
}
# What the loop needs anyway stays before it.
# CHECK-LABEL: func @kept
# CHECK: dot(%k, %h)
# CHECK: for(
# CHECK: return
export fn kept(p0: f64[n, n], k: f64[n, n], h: f64[n, n], times: int) -> f64[n, n] {
    var p = p0
    for t in 0:times { p = 0.5 * p + k @ h }
    return p
}
