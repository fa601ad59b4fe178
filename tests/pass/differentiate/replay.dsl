# What is read of shared memory that is written before a barrier, and then only read, is written once more by the
# reverse: no element is kept for each thread and turn that reads it.
# RUN: dslc check --explain-grad %s 2>&1 | FileCheck %s
# CHECK-NOT: kept of
# CHECK: replay.dsl:[[#@LINE+23]]:{{.*}}kept of 's', an element for each thread and turn
# CHECK-NEXT: replay.dsl:[[#@LINE+18]]:{{.*}}kept of 's', an element for each thread and turn
# CHECK-NOT: kept of
kernel rows(y: out f64[n], x: f64[n], d: f64[4, 4]) {
    shared s: f64[4]
    shared w: f64[4, 4]
    let (t, i) = (thread.x, block.x * 4 + thread.x)
    s[t] = exp(x[i])
    for k in 0:4 { w[t, k] = d[t, k] * x[i] }
    barrier
    var total = 0.0
    for k in 0:4 { total += w[k, t] * s[k] }
    y[i] = total
}
kernel overwritten(y: out f64[n], x: f64[n]) {
    shared s: f64[4]
    let (t, i) = (thread.x, block.x * 4 + thread.x)
    s[t] = exp(x[i])
    barrier
    let other = s[3 - t]
    barrier
    s[t] = other * other
    barrier
    y[i] = s[(t + 1) % 4] * x[i]
}
fn total(x: f64[n], d: f64[4, 4]) -> f64 {
    var y = zeros(f64, n)
    launch rows[n // 4, 4](y, x, d)
    var z = zeros(f64, n)
    launch overwritten[n // 4, 4](z, x)
    return sum(y) + sum(z)
}
print(grad(total, wrt=x)([1.0, 2.0, 3.0, 4.0], ones(f64, 4, 4)))
