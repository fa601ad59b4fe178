# A row that is read before the array is updated is not read behind the update, which would keep all of the array as it was: what
# reverses a loop over rows works on rows.
# RUN: dslc --emit=loops %s -o - | FileCheck %s
# CHECK-LABEL: func @slope
# CHECK: for(
# CHECK: for(
# CHECK-NOT: empty
# CHECK: modes = [2, 2, 0]
# CHECK-NOT: empty
# CHECK: yield(
fn sums(x: f64[n, m]) -> f64 {
    var y = x
    for i in 1:n { y[i] = y[i - 1] + x[i] }
    return sum(y^3)
}
export fn slope(x: f64[n, m]) -> f64[n, m] = grad(sums)(x)
