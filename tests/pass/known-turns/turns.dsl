# A while whose turns can be counted beforehand is a for.
# RUN: dslc %s --passes=inline,known-turns,fold,dce --emit=par -o - | FileCheck %s
# Around a barrier it is written out.
# RUN: dslc --emit=par --target=sim %s -o - | FileCheck %s --check-prefix=TREE
# CHECK-LABEL: func @halves(
# CHECK:       %[[N:.*]] = const {value = 8}
# CHECK:       for(%{{.*}}, %[[N]],
# CHECK-NOT:   while
# CHECK-LABEL: func @doubles(
# CHECK:       %[[N:.*]] = const {value = 5}
# CHECK:       for(%{{.*}}, %[[N]],
# CHECK-NOT:   while
# CHECK-LABEL: func @shrinks(
# CHECK:       %[[N:.*]] = const {value = 7}
# CHECK:       for(%{{.*}}, %[[N]],
# CHECK-NOT:   while
# CHECK-LABEL: func @never(
# CHECK-NOT:   while
# CHECK-LABEL: func @long(
# CHECK:       while
# CHECK-LABEL: func @asks(
# CHECK:       while
# CHECK-LABEL: func @unknown(
# CHECK:       while
# TREE-LABEL:  func @tree_sums(
# TREE-NOT:    while
# TREE-NOT:    for(
# TREE-COUNT-5: barrier(
# TREE:        return
export fn halves(x: f64[n]) -> f64 {
    var s = 0.0
    var half = 128
    while half > 0 {
        s = s * x[half % n] + 1
        half = half // 2
    }
    return s
}
# Two that go together
export fn doubles(x: f64[n]) -> f64 {
    var s = 0.0
    var d = 16
    var offset = 1
    while offset < 2 * d {
        s = s * x[(d + offset) % n] + 1
        offset *= 2
    }
    return s
}
export fn shrinks(x: f64) -> f64 {
    var y = x
    var h = 1.0
    while h > 0.01 {
        y = y + h * sin(y)
        h = h / 2
    }
    return y
}
export fn never(x: f64) -> f64 {
    var y = x
    var k = 3
    while k > 7 {
        y = sin(y)
        k -= 1
    }
    return y
}
export fn long(x: f64) -> f64 {
    var y = x
    var k = 1000
    while k > 0 {
        y = sin(y)
        k -= 3
    }
    return y
}
export fn asks(x: f64) -> f64 {
    var y = x
    var k = 8
    while k > 0 and y > 0.1 {
        y = y - 0.1
        k = k // 2
    }
    return y
}
export fn unknown(x: f64, start: int) -> f64 {
    var y = x
    var k = start
    while k > 0 {
        y = sin(y)
        k = k // 2
    }
    return y
}
kernel tree(out: out f64[b], x: f64[n]) {
    shared s: f64[32]
    let t = thread.x
    let i = block.x * 32 + t
    s[t] = if i < n { x[i] } else { 0.0 }
    barrier
    var half = blockdim.x // 2
    while half > 0 {
        if t < half { s[t] += s[t + half] }
        barrier
        half = half // 2
    }
    if t == 0 { out[block.x] = s[0] }
}
export fn tree_sums(x: f64[n]) -> f64[(n + 31) // 32] {
    var out = zeros(f64, ceildiv(n, 32))
    launch tree[ceildiv(n, 32), 32](out, x)
    return out
}
