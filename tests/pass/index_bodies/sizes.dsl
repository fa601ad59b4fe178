# The length of x[0:i + 1] is the number i + 1, and the launch a comprehension of which the gradient gathers: no bind is
# left, and nothing is kept or scattered.
# RUN: dslc interp --stage=par --print-after=index-bodies %s 2>&1 | FileCheck %s
# RUN: dslc check --explain-grad %s 2>&1 | FileCheck --check-prefix=GRAD %s
# CHECK-LABEL: # after index-bodies
# CHECK: vjp
# CHECK: parallel
# CHECK-NOT: bind
# CHECK: [[N:%[^ ]+]] = add(%i, %{{.*}}) : i64
# CHECK-NEXT: reduce([[N]]) {kind = add}
# GRAD-COUNT-2: a gather
# GRAD: nothing is kept of loops
kernel sums(y: inout f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = sum(x[0:i + 1]) }
}
fn launched(x: f64[n]) -> f64 {
    var y = x
    launch sums[ceildiv(n, 8), 8](y, x)
    return sum(y^2)
}
for n in [2, 3] { print(grad(launched)(ones(f64, n))) }
