# What some indices do not change is done once for each of the others, in a loop over those, if what it gives is as long
# as the comprehension goes along the rest.
# RUN: dslc --print-after=hoist-arrays --emit=par %s -o %t 2>&1 | FileCheck %s

# CHECK-LABEL: func @rows
# CHECK: select(
# CHECK: [[ROWS:%.*]] = for(
# CHECK: extern(
# CHECK: update(
# CHECK: generate : f64[n, m] {
# CHECK-NOT: extern
# CHECK: extract([[ROWS]], %i, %j)
# CHECK: return
export fn rows(a: f64[n, m]) -> f64[n, m] = [sort(a[i, :])[j] for i in 0:n, j in 0:m]

# CHECK-LABEL: func @both
# CHECK: for(
# CHECK: extern(
# CHECK: for(
# CHECK: extern(
# CHECK: reduce(
# CHECK-NOT: extern
# CHECK: return
export fn both(a: f64[n, m]) -> f64 = sum((sort(a[:, j])[i] - sort(a[i, :])[j]) * (i + 2 * j) for i in 0:n, j in 0:m)

# CHECK-LABEL: func @two
# CHECK: for(
# CHECK: for(
# CHECK: extern(
# CHECK: update(
# CHECK: generate : f64[n, m, k] {
# CHECK-NOT: extern
# CHECK: return
export fn two(a: f64[n, m, k]) -> f64[n, m, k] = [sort(a[i, :, l])[j] for i in 0:n, j in 0:m, l in 0:k]

# An inner sum has it before, in the outer comprehension's body.
# CHECK-LABEL: func @nested
# CHECK: generate : f64[n] {
# CHECK: extern(
# CHECK: reduce(
# CHECK-NOT: extern
# CHECK: return
export fn nested(a: f64[n, m]) -> f64[n] = [sum(sort(a[i, :])[j] * j for j in 0:m) for i in 0:n]

# All rows would take more memory than the sum has turns.
# CHECK-LABEL: func @long
# CHECK: reduce(
# CHECK: extern(
export fn long(a: f64[n, m]) -> f64 = sum(sort(a[i, :])[j] for i in 0:n, j in 0:2)

# Scalars are left to hoist.
# CHECK-LABEL: func @scalars
# CHECK-NOT: for(
# CHECK: generate : i64[n, m] {
# CHECK: while(
fn level(i: int) -> int {
    var l = 0
    while l * l < i { l += 1 }
    return l
}
export fn scalars(x: f64[n, m]) -> int[n, m] = [level(i) + j for i in 0:n, j in 0:m]
