# Turns that threads share by strides are one loop of the first thread, between barriers; of a whole launch, a parallel one.
# RUN: dslc %s --emit=par --verify-each -o - | FileCheck %s
# On a GPU all threads go on sharing them.
# RUN: dslc %s --emit=par --target=sim -o - | FileCheck %s --check-prefix=SIM
# CHECK-LABEL: func @scaled(
# CHECK-NOT:   for(
# CHECK:       kind = plain
# CHECK:       store({{.*}}, %y.2, %block.x, %j)
# CHECK-LABEL: func @grid(
# CHECK-NOT:   thread
# CHECK-NOT:   for(
# CHECK:       parallel({{.*}}) {kind = plain}
# CHECK:       store(
# CHECK-LABEL: func @wide_grid(
# CHECK-NOT:   thread
# CHECK-NOT:   for(
# CHECK:       parallel({{.*}}) {kind = plain}
# CHECK:       store(
# CHECK-LABEL: func @own(
# CHECK:       for(%thread.x, %0, %2)
# CHECK-LABEL: func @chained(
# CHECK:       for(%i, %1, %0)
# CHECK-LABEL: func @divided(
# CHECK:       for(%thread.x.1, %1, %0)
# SIM-LABEL:   func @scaled(
# SIM:         for(%thread.x, %{{.*}}, %
# SIM-LABEL:   func @grid(
# SIM:         kind = block
kernel scale(y: out f64[n, m], x: f64[n, m]) {
    shared s: f64[64]
    let t = thread.x
    s[t] = if t < m { x[block.x, t] } else { 0.0 }
    barrier
    let first = s[0] + s[1]
    for j in t:m:64 { y[block.x, j] = x[block.x, j] * first }
}
export fn scaled(x: f64[n, m]) -> f64[n, m] {
    var y = zeros(f64, n, m)
    launch scale[n, 64](y, x)
    return y
}
kernel strided(y: inout f64[n], x: f64[n]) {
    var i = block.x * 128 + thread.x
    while i < n {
        y[i] = y[i] + 2 * x[i]
        i += 128 * 32
    }
}
export fn grid(x: f64[n]) -> f64[n] {
    var y = x
    launch strided[32, 128](y, x)
    return y
}
# Blocks and threads with two axes
kernel wide(y: inout f64[n], x: f64[n]) {
    var i = ((block.y * 3 + block.x) * 4 + thread.y) * 8 + thread.x + 1
    while i < n {
        y[i] = y[i] + 2 * x[i]
        i += 2 * 3 * 4 * 8
    }
}
export fn wide_grid(x: f64[n]) -> f64[n] {
    var y = x
    launch wide[(3, 2), (8, 4)](y, x)
    return y
}
# The thread's number is part of it.
kernel numbered(y: out f64[n], x: f64[n]) {
    let t = thread.x
    for j in t:n:64 { y[j] = x[j] + f64(t) }
}
export fn own(x: f64[n]) -> f64[n] {
    var y = zeros(f64, n)
    launch numbered[1, 64](y, x)
    return y
}
# A turn reads what the thread's last one wrote: no order but that one.
kernel chain(y: inout f64[n]) {
    var i = block.x * 128 + thread.x + 4096
    while i < n {
        y[i] = y[i] + y[i - 4096]
        i += 4096
    }
}
export fn chained(x: f64[n]) -> f64[n] {
    var y = x
    launch chain[32, 128](y)
    return y
}
# Not all threads come there.
kernel half_of(y: inout f64[n], x: f64[n]) {
    let t = thread.x
    if t % 2 == 0 {
        for j in t:n:64 { y[j] = x[j] }
    }
}
export fn divided(x: f64[n]) -> f64[n] {
    var y = x
    launch half_of[1, 64](y, x)
    return y
}
