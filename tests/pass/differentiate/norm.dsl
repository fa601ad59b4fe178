# The sum leaves the loop before the derivative is taken: the gradient has one sum over n, no nest of them (linear in n).
# RUN: dslc --emit=par %s -o - | FileCheck %s
# CHECK-LABEL: func @slope
# CHECK: reduce(%{{.*}}) {kind = add}
# CHECK: reduce(%{{.*}}) {kind = add}
# CHECK-NOT: reduce
# CHECK: generate
# CHECK-NOT: reduce
# CHECK: return
fn weighted(x: f64[n]) -> f64 {
    let y = [x[i] / sum(x[k]^2 for k in 0:n) for i in 0:n]
    return sum(y[i] * f64(i) for i in 0:n)
}
export fn slope(x: f64[n]) -> f64[n] = grad(weighted)(x)
