# Branches that store in the same element: one store behind them, of what they choose.
# RUN: dslc %s --passes=inline,licm,cse,fold,dce,prove-bounds,cse,join-stores,cse,dce --emit=par -o - | FileCheck %s
# CHECK-LABEL: func @inner_of(
# CHECK:       %[[N:.*]] = size {size = n}
# CHECK:       %[[INSIDE:[0-9]+]] = lt(%i, %[[N]])
# CHECK:       if(%[[INSIDE]]) {
# CHECK-NEXT:    %[[V:.*]] = if(
# CHECK-NOT:     store
# CHECK-COUNT-2: yield(
# CHECK-NOT:     store
# CHECK:         store(%[[V]], %v
# CHECK-NOT:   store
# CHECK-LABEL: func @again_of(
# CHECK:       = if(
# CHECK-COUNT-1: store(
# CHECK-NOT:   store
# CHECK-LABEL: func @apart_of(
# CHECK:       = if(
# CHECK-COUNT-1: store(
# CHECK-NOT:   store
# CHECK-LABEL: func @edges_of(
# CHECK:       %{{.*}}, %{{.*}} = if(
# CHECK-COUNT-1: store({{.*}}, %v
# CHECK-COUNT-1: store({{.*}}, %w
# CHECK-NOT:   store
# CHECK-LABEL: func @walls_of(
# CHECK:       = if(
# CHECK-COUNT-1: store(
# CHECK-NOT:   store
# CHECK-LABEL: func @elsewhere_of(
# CHECK-COUNT-2: store(
# CHECK-LABEL: func @holes_of(
# CHECK-COUNT-2: store(
# CHECK-LABEL: func @asked_of(
# CHECK-COUNT-2: store(
# CHECK-LABEL: func @waits_of(
# CHECK-COUNT-2: store(
kernel inner(v: out f64[n], u: f64[n]) {
    let i = block.x * 64 + thread.x
    if i > 0 and i < n - 1 {
        v[i] = u[i - 1] + u[i + 1]
    } else if i < n {
        v[i] = u[i]
    }
}
export fn inner_of(u: f64[n]) -> f64[n] {
    var v = zeros(f64, n)
    launch inner[ceildiv(n, 64), 64](v, u)
    return v
}
kernel again(v: out f64[n], u: f64[n]) {
    let i = block.x * 64 + thread.x
    if i < n { v[i] = u[i] }
    if i > 0 and i < n - 1 { v[i] = u[i - 1] + u[i + 1] }
}
export fn again_of(u: f64[n]) -> f64[n] {
    var v = zeros(f64, n)
    launch again[ceildiv(n, 64), 64](v, u)
    return v
}
# Conditions of which none holds for all: one that isl finds
kernel apart(v: out f64[n], u: f64[n]) {
    let i = block.x * 64 + thread.x
    if i == 0 { v[i] = u[i] }
    if i > 0 and i < n { v[i] = u[i - 1] }
}
export fn apart_of(u: f64[n]) -> f64[n] {
    var v = zeros(f64, n)
    launch apart[ceildiv(n, 64), 64](v, u)
    return v
}
kernel edges(v: out f64[n], w: out f64[n], u: f64[n]) {
    let i = block.x * 64 + thread.x
    if i == 0 {
        v[i] = u[0]
        w[i] = 1
    } else if i == n - 1 {
        w[i] = 2
        v[i] = u[i - 1]
    } else if i < n {
        v[i] = u[i - 1] + u[i + 1]
        w[i] = u[i]
    }
}
export fn edges_of(u: f64[n]) -> (f64[n], f64[n]) {
    var v = zeros(f64, n)
    var w = zeros(f64, n)
    launch edges[ceildiv(n, 64), 64](v, w, u)
    return (v, w)
}
kernel walls(v: out f64[n], u: f64[n], wall: bool[n]) {
    let i = block.x * 64 + thread.x
    if i < n and wall[min(i, n - 1)] {
        v[i] = 0
    } else if i < n {
        v[i] = u[i] * u[i]
    }
}
export fn walls_of(u: f64[n], wall: bool[n]) -> f64[n] {
    var v = zeros(f64, n)
    launch walls[ceildiv(n, 64), 64](v, u, wall)
    return v
}
# Not the same element
kernel elsewhere(v: out f64[n], u: f64[n]) {
    let i = block.x * 64 + thread.x
    if i > 0 and i < n {
        v[i - 1] = u[i]
    } else if i < n {
        v[n - 1] = u[i]
    }
}
export fn elsewhere_of(u: f64[n]) -> f64[n] {
    var v = zeros(f64, n)
    launch elsewhere[ceildiv(n, 64), 64](v, u)
    return v
}
# Not all between: no one condition
kernel holes(v: inout f64[n], u: f64[n]) {
    let i = block.x * 64 + thread.x
    if i < 3 and i < n {
        v[i] = u[i]
    } else if i > 5 and i < n {
        v[i] = 2 * u[i]
    }
}
export fn holes_of(u: f64[n]) -> f64[n] {
    var v = zeros(f64, n)
    launch holes[ceildiv(n, 64), 64](v, u)
    return v
}
# Somebody asks for what the first one stored
kernel asked(v: inout f64[n], u: f64[n], k: int) {
    let i = block.x * 64 + thread.x
    if i < n {
        v[i] = u[i]
        if k > 3 and v[k % n] > 0 { v[i] = 2 * u[i] }
    }
}
export fn asked_of(u: f64[n], k: int) -> f64[n] {
    var v = zeros(f64, n)
    launch asked[1, 1](v, u, k)
    return v
}
# Others may read it at the barrier.
kernel waits(v: inout f64[n], u: f64[n]) {
    let i = thread.x
    if i < n { v[i] = u[i] }
    barrier
    if i > 0 and i < n { v[i] = 2 * u[i] }
}
export fn waits_of(u: f64[n]) -> f64[n] {
    var v = zeros(f64, n)
    launch waits[1, 64](v, u)
    return v
}
