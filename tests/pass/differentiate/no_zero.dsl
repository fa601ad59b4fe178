# What a branch hands on unchanged has the same adjoint in both branches: nothing is added to it, no zero either, so that the loop
# carries no adjoint at all.
# RUN: dslc --emit=loops %s -o - | FileCheck %s
# CHECK-LABEL: island({{.*}}modes = [2, 2, 0]
# CHECK: parallel(
# CHECK: for({{[^:]*}}) {
# CHECK-NOT: add(
# CHECK: if(
# CHECK: atomic(
# CHECK-NOT: yield(%
fn f(force: f64[n, 3], corner: int[m, 8]) -> f64 {
    var y = zeros(f64, m)
    parallel for i in 0:m {
        var f = 0.0
        for k in 0:8 {
            let at = corner[i, k]
            if at >= 0 { f += force[at // 3, at % 3] }
        }
        y[i] = 0.1 * f
    }
    return sum(y^2)
}
let gradient = grad(f, wrt=force)
let corner = [if (i + k) % 3 == 0 { -1 } else { (i * 7 + k * 5) % 300 } for i in 0:100, k in 0:8]
print(sum(gradient(ones(f64, 100, 3), corner)))
