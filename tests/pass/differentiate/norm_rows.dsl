# Sums over rows and columns leave the comprehension that divides by them, before derivatives are taken and behind: no
# sum stands in a comprehension over all elements.
# RUN: dslc --print-after=fuse --emit=loops %s 2>&1 >/dev/null | FileCheck %s
# CHECK-LABEL: func @columns
# CHECK: = generate : f64[m]
# CHECK: = reduce
# CHECK: = generate : f64[n, m]
# CHECK-NOT: = reduce
# CHECK: = generate : f64[m]
# CHECK: = reduce
# CHECK: = generate : f64[m]
# CHECK: = reduce
# CHECK: = generate : f64[n, m]
# CHECK-NOT: = reduce
# CHECK: return
# CHECK-LABEL: func @rows
# CHECK: = generate : f64[n]
# CHECK: = reduce
# CHECK: = generate : f64[n, m]
# CHECK-NOT: = reduce
# CHECK: = generate : f64[n]
# CHECK: = reduce
# CHECK: = generate : f64[n, m]
# CHECK-NOT: = reduce
# CHECK: return
fn by_columns(x: f64[n, m]) -> f64 {
    let y = [x[i, j] / norm(x[:, j]) for i in 0:n, j in 0:m]
    return sum(y^3)
}
fn soft(x: f64[n, m]) -> f64 {
    let y = [exp(x[i, j]) / sum(exp(x[i, k]) for k in 0:m) for i in 0:n, j in 0:m]
    return sum(y^3)
}
export fn columns(x: f64[n, m]) -> f64[n, m] = grad(by_columns)(x)
export fn rows(x: f64[n, m]) -> f64[n, m] = grad(soft)(x)
