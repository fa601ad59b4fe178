# What drives a simulation, a row or a column of a table for each turn: rows are taken of a table that does not change, too, so that a
# turn adds to a row of its derivative, not to all of it.  In parallel loops, launches, comprehensions.  Not of a table in which few
# elements are looked up; rows of three are taken in steps of an array.
# RUN: dslc --emit=grad %s -o - | FileCheck %s
# CHECK-LABEL: func @rows_slope
# CHECK: island({{.*}}) {modes = [2, 0]} : f64[m] {
# CHECK-NOT: generate : f64[t, m]
# CHECK: update({{.*}} : f64[t, m]
# CHECK: return
# CHECK-LABEL: func @columns_slope
# CHECK-NOT: generate : f64[m, t]
# CHECK: update({{.*}} : f64[m, t]
# CHECK: return
# CHECK-LABEL: func @launched_slope
# CHECK-NOT: generate : f64[t, m]
# CHECK: update({{.*}} : f64[t, m]
# CHECK: return
# CHECK-LABEL: func @computed_slope
# CHECK-NOT: generate : f64[t, m]
# CHECK: update({{.*}} : f64[t, m]
# CHECK: return
# CHECK-LABEL: func @three_slope
# CHECK-NOT: generate : f64[t, 3]
# CHECK: update({{.*}} : f64[t, 3]
# CHECK: return
# CHECK-LABEL: func @looked_up_slope
# CHECK-NOT: slice(
# CHECK: return
fn rows(a: f64[t, m]) -> f64 {
    var x = zeros(f64, m)
    for i in 0:t { parallel for c in 0:m { x[c] = 0.9 * x[c] + a[i, c]^2 } }
    return sum(x^2)
}
fn columns(a: f64[m, t]) -> f64 {
    var x = zeros(f64, m)
    for i in 0:t { parallel for c in 0:m { x[c] = sin(x[c]) + a[c, i] * x[c] } }
    return sum(x^2)
}
kernel drive(x: inout f64[m], a: f64[t, m], i: int) {
    let c = block.x * blockdim.x + thread.x
    if c < m { x[c] = 0.9 * x[c] + a[i, c]^2 }
}
fn launched(a: f64[t, m]) -> f64 {
    var x = zeros(f64, m)
    for i in 0:t { launch drive[ceildiv(m, 32), 32](x, a, i) }
    return sum(x^2)
}
fn computed(a: f64[t, m]) -> f64 {
    var x = zeros(f64, m)
    for i in 0:t { x = [0.9 * x[c] + a[t - 1 - i, c]^2 for c in 0:m] }
    return sum(x^2)
}
export fn rows_slope(a: f64[t, m]) -> f64[t, m] = grad(rows)(a)
export fn columns_slope(a: f64[m, t]) -> f64[m, t] = grad(columns)(a)
export fn launched_slope(a: f64[t, m]) -> f64[t, m] = grad(launched)(a)
export fn computed_slope(a: f64[t, m]) -> f64[t, m] = grad(computed)(a)
fn looked_up(a: f64[t, l], e: int[m]) -> f64 {
    var x = ones(f64, m)
    for i in 0:t { parallel for c in 0:m { x[c] = 0.9 * x[c] + sin(x[c]) * a[i, e[c]] } }
    return sum(x^2)
}
fn three(a: f64[t, 3]) -> f64 {
    var x = zeros(f64, 3)
    for i in 0:t { x = [0.9 * x[c] + a[i, c]^2 for c in 0:3] }
    return sum(x^2)
}
export fn three_slope(a: f64[t, 3]) -> f64[t, 3] = grad(three)(a)
export fn looked_up_slope(a: f64[t, l], e: int[m]) -> f64[t, l] = grad(looked_up, wrt=a)(a, e)
