# Branches that choose which element of an array is read are one load, clamped, or around in a ring.
# RUN: dslc --emit=par --verify-each %s -o - | FileCheck %s
# CHECK: func @ends(
# CHECK-NOT: if(
# CHECK: max(
# CHECK: min(
# CHECK: func @ring(
# CHECK-NOT: if(
# CHECK-COUNT-2: mod(
# CHECK: func @wide(
# CHECK-NOT: if(
# CHECK-COUNT-1: extract
# CHECK: func @shifted(
# CHECK-NOT: if(
# CHECK: max(
# CHECK: func @other(
# CHECK: if(
# CHECK: func @parity(
# CHECK: if(
# CHECK: func @asked(
# CHECK: if(
# CHECK: func @written(
# CHECK: if(
export fn ends(u: f64[n]) -> f64[n] = [(if i == 0 { u[0] } else { u[i - 1] }) + (if i + 1 < n { u[i + 1] } else { u[n - 1] }) for i in 0:n]
export fn ring(u: f64[n]) -> f64[n] = [(if i == 0 { u[n - 1] } else { u[i - 1] }) + (if i == n - 1 { u[0] } else { u[i + 1] }) for i in 0:n]
export fn wide(u: f64[n, m]) -> f64[n, m] = [if i < 2 { if j < 3 { u[0, 0] } else { u[0, j - 3] } } else { if j < 3 { u[i - 2, 0] } else { u[i - 2, j - 3] } } for i in 0:n, j in 0:m]
kernel shift(v: out f64[n], u: f64[n]) {
    let i = block.x * 64 + thread.x
    if i < n {
        var x = u[i]
        if i > 0 { x = u[i - 1] }
        v[i] = x
    }
}
export fn shifted(u: f64[n]) -> f64[n] {
    var v = zeros(f64, n)
    launch shift[ceildiv(n, 64), 64](v, u)
    return v
}
export fn other(u: f64[n], w: f64[n]) -> f64[n] = [if i == 0 { w[0] } else { u[i - 1] } for i in 0:n]
export fn parity(u: f64[n]) -> f64[n] = [if i % 2 == 0 { u[i] } else { u[i - 1] } for i in 0:n]
export fn asked(u: f64[n], w: f64[n]) -> f64[n] = [if w[i] > 0.0 and i > 0 { u[i - 1] } else { u[i] } for i in 0:n]
kernel turned(v: inout f64[n]) {
    let i = thread.x
    let x = if i > 0 { v[i - 1] } else { v[i] }
    barrier
    v[i] = x
}
export fn written(u: f64[8]) -> f64[8] {
    var v = u
    launch turned[1, 8](v)
    return v
}
print(0)
