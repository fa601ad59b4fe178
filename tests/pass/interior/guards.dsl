# Branches that ask where the index is: in each row a loop over the turns for which all are taken, and others over the rest,
# which split-index cuts at the interior.
# RUN: dslc --emit=loops %s -o - | FileCheck %s

# CHECK-LABEL: func @beside(
# CHECK: parallel(%
# CHECK: [[INSIDE:%[0-9]+]] = lt
# CHECK: select([[INSIDE]]
# CHECK: parallel(
# CHECK: = if
# CHECK: = if
# CHECK: parallel(
# CHECK: = if
# CHECK: = if
# CHECK: parallel(
# CHECK-NOT: = if
# CHECK: return
export fn beside(x: f64[n, m]) -> f64[n, m] =
    [(if j >= 1 { 2 * x[i, j - 1] } else { 0.0 }) + (if i + 1 < n and j + 2 < m { x[i + 1, j + 2] * x[i, j] } else { 0.0 }) for i in 0:n, j in 0:m]

# A vector has no rows: its ends alone are apart.
# CHECK-LABEL: func @vector(
# CHECK: parallel(
# CHECK: = if
# CHECK: = if
# CHECK: parallel(
# CHECK: = if
# CHECK: = if
# CHECK: parallel(
# CHECK-NOT: = if
# CHECK: return
export fn vector(x: f64[n]) -> f64[n] =
    [(if 3 <= i { 2 * x[i - 3] } else { 0.0 }) + (if n - 1 > i { x[i + 1] * x[i] } else { 0.0 }) for i in 0:n]

# What no index decides stays one loop.
# CHECK-LABEL: func @by_value(
# CHECK: parallel(
# CHECK: = if
# CHECK-NOT: parallel(
# CHECK: return
export fn by_value(x: f64[n]) -> f64[n] = [if x[i] > 0 { x[i] * log(x[i]) } else { 0.0 } for i in 0:n]

# The gradient of a stencil has such a guard for each neighbour.
kernel smooth(y: out f64[n, m], x: f64[n, m]) {
    let (i, j) = (block.y * blockdim.y + thread.y, block.x * blockdim.x + thread.x)
    if i >= 1 and i < n - 1 and j >= 1 and j < m - 1 { y[i, j] = x[i, j] * (x[i, j - 1] + x[i, j + 1] + x[i - 1, j] + x[i + 1, j]) }
}
fn energy(x: f64[n, m]) -> f64 {
    var y = x
    launch smooth[(ceildiv(m, 32), ceildiv(n, 8)), (32, 8)](y, x)
    return sum(y)
}
# CHECK-LABEL: func @slope(
# CHECK: parallel(
# CHECK: select(
# CHECK: parallel(
# CHECK: = if
# CHECK: parallel(
# CHECK: = if
# CHECK: parallel(
# CHECK-NOT: = if
# CHECK: return
export fn slope(x: f64[n, m]) -> f64[n, m] = grad(energy)(x)
