# Threads that add up by strides take the same number of turns, and one more under a guard: then turns go around outside,
# threads side by side.
# RUN: dslc %s --emit=par --verify-each -o - | FileCheck %s
# RUN: dslc %s --emit=loops -o - | FileCheck %s --check-prefix=LANES
# CHECK-LABEL: func @sums(
# CHECK:       %[[N:.*]] = idiv(
# CHECK:       %[[TURNS:.*]] = max(%[[N]], %{{.*}}) : i64
# CHECK:       kind = thread
# CHECK:       for(%{{.*}}, %[[TURNS]], %{{.*}}, %{{.*}}) : f64
# CHECK:       = if(
# CHECK-LABEL: func @other(
# CHECK:       for(%thread.x, %
# CHECK-LABEL: func @far(
# CHECK:       max(
# CHECK:       kind = thread
# LANES-LABEL: func @sums(
# LANES:       for(
# LANES-NOT:   for(
# LANES:       (%lane.1: i64)
kernel add_up(out: out f64[n], x: f64[n, m]) {
    shared s: f64[64]
    let t = thread.x
    var total = 0.0
    for j in t:m:64 { total += x[block.x, j] }
    s[t] = total
    barrier
    if t == 0 { out[block.x] = sum(s[k] for k in 0:64) }
}
export fn sums(x: f64[n, m]) -> f64[n] {
    var out = zeros(f64, n)
    launch add_up[n, 64](out, x)
    return out
}
# Where each thread ends is its own affair.
kernel triangle(out: out f64[n], x: f64[n, m]) {
    let t = thread.x
    var total = 0.0
    for j in t:t * m // n:64 { total += x[t, j] }
    out[t] = total
}
export fn other(x: f64[n, m]) -> f64[n] {
    var out = zeros(f64, n)
    if n == 64 { launch triangle[1, 64](out, x) }
    return out
}
# Strides over a grid
kernel over_grid(out: out f64[b], x: f64[n]) {
    shared s: f64[64]
    let t = thread.x
    var total = 0.0
    var i = block.x * 64 + t
    while i < n {
        total += x[i]
        i += 64 * 8
    }
    s[t] = total
    barrier
    if t == 0 { out[block.x] = sum(s[k] for k in 0:64) }
}
export fn far(x: f64[n]) -> f64 {
    var out = zeros(f64, 8)
    launch over_grid[8, 64](out, x)
    return sum(out)
}
