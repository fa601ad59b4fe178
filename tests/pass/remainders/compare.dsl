# A comparison of a remainder, or of an index, that always holds is decided before derivatives are taken; others stay.
# RUN: dslc --emit=par -Wno-constant-comparison %s -o - | FileCheck %s
# CHECK-LABEL: func @always
# CHECK-NOT: if(
# CHECK-NOT: select(
# CHECK-LABEL: func @sometimes
# CHECK: lt(
# The derivative of a launch asks for no thread that is there, and for no element around the end.
# CHECK-LABEL: func @slope
# CHECK: generate : f64[n]
# CHECK-NOT: ge(
# CHECK-NOT: if(
# CHECK: return
export fn always(x: f64[n]) -> f64[n] = [if (i + 1) % n < n and i >= 0 { x[(i + 1) % n] } else { 0.0 } for i in 0:n]
export fn sometimes(x: f64[n]) -> f64[n] = [if (i + 1) % n < 3 { x[i] } else { 0.0 } for i in 0:n]
kernel turn(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = x[(i + 1) % n]^2 * x[i] }
}
fn total(x: f64[n]) -> f64 {
    var y = zeros(f64, n)
    launch turn[ceildiv(n, 64), 64](y, x)
    return sum(y)
}
export fn slope(x: f64[n]) -> f64[n] = grad(total)(x)
