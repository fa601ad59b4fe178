# RUN: dslc %s --print-after=index-bodies --emit=par 2>&1 | FileCheck %s
# An array of the body whose elements are sums, and that is read often, is computed before, for all indices.
fn f(x: f64[n]) -> f64 = sum([sum(softmax([sum(exp(x * x[i] + x[j])) for j in 0:n]) * x) for i in 0:n])

# CHECK-LABEL: after index-bodies
# CHECK: vjp
# CHECK: [[ALL:%.*]] = generate : f64[4, 4]
# CHECK: reduce
# CHECK: exp(
# CHECK: generate : f64[4] {
# CHECK-NOT: exp(
# CHECK: reduce({{.*}}) {kind = max}
# CHECK-NEXT: (
# CHECK-NEXT: extract([[ALL]], %i
print(grad(f)([0.9, 0.4, 0.7, 1.1]))
