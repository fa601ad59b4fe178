# A tile in shared memory that holds part of an array is read through, however it is filled: by threads at the edges, by all
# together in turns, by more threads than there are elements to compute, turned around, in turns of a loop.
# RUN: dslc --emit=par %s -o - | FileCheck %s
# On a GPU the tiles stay, but not in derivatives, which are those of the plain stencil: no sums by atomic.
# RUN: dslc --target=sim --emit=par %s -o - | FileCheck %s --check-prefix=SIM
# CHECK: func @step_cross(
# CHECK-NOT: shared>
# CHECK: func @step_box(
# CHECK-NOT: shared>
# CHECK: func @step_overlapped(
# CHECK-NOT: shared>
# CHECK: func @step_turned(
# CHECK-NOT: shared>
# CHECK: func @step_product(
# CHECK-NOT: shared>
# CHECK: func @step_planes(
# CHECK-NOT: shared>
# CHECK: func @step_own(
# CHECK: shared>
# CHECK: func @step_twice(
# CHECK: shared>
# What is copied from one shared array to another is read in the first.
# CHECK: func @step_copied(
# CHECK-COUNT-1: shared>
# CHECK-NOT: shared>
# CHECK: func @step_turned_around(
# CHECK-NOT: shared>
# CHECK: func @step_rounds(
# CHECK-COUNT-2: shared>
# CHECK: func @slope_cross(
# CHECK-NOT: shared>
# CHECK-NOT: atomic
# CHECK: func @slope_box(
# CHECK-NOT: shared>
# CHECK-NOT: atomic
# CHECK: main @main
# SIM: func @step_cross(
# SIM: shared>
# SIM: func @slope_cross(
# SIM-NOT: atomic
# SIM: main @main
const B = 8
fn clamped(i: int, n: int) -> int = min(max(i, 0), n - 1)
# The border is brought by threads at the edges of the block, each side for itself.
kernel cross(v: out f64[n, m], u: f64[n, m]) {
    shared s: f64[B + 2, B + 2]
    let ty = thread.y
    let tx = thread.x
    let i = block.y * B + ty
    let j = block.x * B + tx
    s[ty + 1, tx + 1] = u[clamped(i, n), clamped(j, m)]
    if ty == 0 { s[0, tx + 1] = u[clamped(i - 1, n), clamped(j, m)] }
    if ty == B - 1 { s[B + 1, tx + 1] = u[clamped(i + 1, n), clamped(j, m)] }
    if tx == 0 { s[ty + 1, 0] = u[clamped(i, n), clamped(j - 1, m)] }
    if tx == B - 1 { s[ty + 1, B + 1] = u[clamped(i, n), clamped(j + 1, m)] }
    barrier
    if i < n and j < m {
        v[i, j] = s[ty, tx + 1] + 2 * s[ty + 2, tx + 1] + 3 * s[ty + 1, tx] + 4 * s[ty + 1, tx + 2] - s[ty + 1, tx + 1]
    }
}
# All threads bring the tile together, in several turns, corners too.
kernel box(v: out f64[n, m], u: f64[n, m]) {
    shared s: f64[B + 2, B + 2]
    for k in thread.y * B + thread.x:(B + 2) * (B + 2):B * B {
        s[k // (B + 2), k % (B + 2)] = u[clamped(block.y * B + k // (B + 2) - 1, n), clamped(block.x * B + k % (B + 2) - 1, m)]
    }
    barrier
    let i = block.y * B + thread.y
    let j = block.x * B + thread.x
    if i < n and j < m {
        var sum = 0.0
        for a in 0:3 {
            for b in 0:3 { sum += s[thread.y + a, thread.x + b] * f64(a + 3 * b + 1) }
        }
        v[i, j] = sum
    }
}
# More threads than elements: those of the border only bring.
kernel overlapped(v: out f64[n, m], u: f64[n, m]) {
    shared s: f64[B, B]
    let ty = thread.y
    let tx = thread.x
    let i = block.y * (B - 2) + ty - 1
    let j = block.x * (B - 2) + tx - 1
    s[ty, tx] = if i >= 0 and i < n and j >= 0 and j < m { u[i, j] } else { 0.0 }
    barrier
    if ty > 0 and ty < B - 1 and tx > 0 and tx < B - 1 and i < n and j < m {
        v[i, j] = s[ty - 1, tx] + 2 * s[ty + 1, tx] + 3 * s[ty, tx - 1] + 4 * s[ty, tx + 1] - s[ty, tx]
    }
}
# Turned around in the tile; squares of what is read; another array beside it
kernel turned(v: out f64[n, m], u: f64[m, n], w: f64[n, m]) {
    shared s: f64[B, B + 1]
    shared q: f64[B, B]
    let i = block.y * B + thread.y
    let j = block.x * B + thread.x
    let a = block.x * B + thread.y
    let b = block.y * B + thread.x
    if a < m and b < n { s[thread.x, thread.y] = u[a, b] }
    if i < n and j < m { q[thread.y, B - 1 - thread.x] = w[i, j] * w[i, j] }
    barrier
    if i < n and j < m { v[i, j] = s[thread.y, thread.x] + 0.5 * q[thread.y, B - 1 - thread.x] }
}
# Tiles in turns
kernel product(c: out f64[n, m], a: f64[n, k], b: f64[k, m]) {
    shared ta: f64[B, B]
    shared tb: f64[B, B]
    let i = block.y * B + thread.y
    let j = block.x * B + thread.x
    var s = 0.0
    for t in 0:ceildiv(k, B) {
        ta[thread.y, thread.x] = if i < n and t * B + thread.x < k { a[i, t * B + thread.x] } else { 0.0 }
        tb[thread.y, thread.x] = if t * B + thread.y < k and j < m { b[t * B + thread.y, j] } else { 0.0 }
        barrier
        for l in 0:B { s += ta[thread.y, l] * tb[l, thread.x] }
        barrier
    }
    if i < n and j < m { c[i, j] = s }
}

# Three axes, of which two are in the tile; ints; each turn another plane
kernel planes(v: out int[p, n, m], u: int[p, n, m]) {
    shared s: int[B + 1, B + 1]
    let i = block.y * B + thread.y
    let j = block.x * B + thread.x
    for k in 0:p {
        s[thread.y, thread.x] = u[k, clamped(i, n), clamped(j, m)]
        if thread.y == 0 { s[B, thread.x] = u[k, clamped(i + B, n), clamped(j, m)] }
        if thread.x == 0 { s[thread.y, B] = u[k, clamped(i, n), clamped(j + B, m)] }
        barrier
        if i < n and j < m { v[k, i, j] = 3 * s[thread.y, thread.x] - s[thread.y + 1, thread.x] - 2 * s[thread.y, thread.x + 1] }
        barrier
    }
}

# These stay as they are: what is read was written in memory that the launch writes, or in an order that counts.
kernel own(u: inout f64[n]) {
    shared s: f64[B]
    let i = block.x * B + thread.x
    if i < n { s[thread.x] = u[i] }
    barrier
    if i < n { u[i] = if thread.x > 0 { s[thread.x - 1] } else { s[thread.x] } }
}
kernel twice(v: out f64[n], u: f64[n]) {
    shared s: f64[B]
    let i = block.x * B + thread.x
    s[thread.x] = if i < n { u[i] } else { 0.0 }
    barrier
    if thread.x == 0 { s[0] = s[B - 1] }
    barrier
    if i < n { v[i] = s[thread.x] - s[0] }
}

fn blocks(n: int) -> int = ceildiv(n, B)
export fn step_cross(u: f64[n, m]) -> f64[n, m] {
    var v = zeros(f64, n, m)
    launch cross[(blocks(m), blocks(n)), (B, B)](v, u)
    return v
}
export fn step_box(u: f64[n, m]) -> f64[n, m] {
    var v = zeros(f64, n, m)
    launch box[(blocks(m), blocks(n)), (B, B)](v, u)
    return v
}
export fn step_overlapped(u: f64[n, m]) -> f64[n, m] {
    var v = zeros(f64, n, m)
    launch overlapped[(ceildiv(m, B - 2), ceildiv(n, B - 2)), (B, B)](v, u)
    return v
}
export fn step_turned(u: f64[m, n], w: f64[n, m]) -> f64[n, m] {
    var v = zeros(f64, n, m)
    launch turned[(blocks(m), blocks(n)), (B, B)](v, u, w)
    return v
}
export fn step_product(a: f64[n, k], b: f64[k, m]) -> f64[n, m] {
    var c = zeros(f64, n, m)
    launch product[(blocks(m), blocks(n)), (B, B)](c, a, b)
    return c
}
export fn step_planes(u: int[p, n, m]) -> int[p, n, m] {
    var v = zeros(int, p, n, m)
    launch planes[(blocks(m), blocks(n)), (B, B)](v, u)
    return v
}
export fn step_own(u: f64[n]) -> f64[n] {
    var v = u
    launch own[blocks(n), B](v)
    return v
}
export fn step_twice(u: f64[n]) -> f64[n] {
    var v = zeros(f64, n)
    launch twice[blocks(n), B](v, u)
    return v
}
# Two steps: what the first one leaves is copied back before the second.
kernel copied(v: out f64[n], u: f64[n]) {
    shared old: f64[B + 4]
    shared new: f64[B + 4]
    let t = thread.x
    let i = block.x * B + t - 2
    old[t] = u[clamped(i, n)]
    barrier
    let inner = t > 0 and t < B + 3
    if inner { new[t] = sin(old[t - 1]) + cos(old[t]) * exp(old[t + 1]) }
    barrier
    if inner { old[t] = new[t] }
    barrier
    if t > 1 and t < B + 2 and i < n { v[i] = sin(old[t - 1]) + cos(old[t]) * exp(old[t + 1]) }
}
export fn step_copied(u: f64[n]) -> f64[n] {
    var v = u
    launch copied[ceildiv(n, B), B + 4](v, u)
    return v
}
# Around in a ring, both ends brought by the threads at the edges
kernel around(v: out f64[64, 32], u: f64[64, 32]) {
    shared s: f64[B + 2, B + 2]
    let ty = thread.y
    let tx = thread.x
    let i = block.y * B + ty
    let j = block.x * B + tx
    s[ty + 1, tx + 1] = u[i, j]
    if ty == 0 { s[0, tx + 1] = u[(i - 1) % 64, j] }
    if ty == B - 1 { s[B + 1, tx + 1] = u[(i + 1) % 64, j] }
    if tx == 0 { s[ty + 1, 0] = u[i, (j + 31) % 32] }
    if tx == B - 1 { s[ty + 1, B + 1] = u[i, (j + 1) % 32] }
    barrier
    v[i, j] = s[ty, tx + 1] + 2 * s[ty + 2, tx + 1] + 3 * s[ty + 1, tx] + 4 * s[ty + 1, tx + 2]
}
export fn step_turned_around(u: f64[64, 32]) -> f64[64, 32] {
    var v = u
    launch around[(32 // B, 64 // B), (B, B)](v, u)
    return v
}
# In a loop the next turn writes what this one still reads.
kernel rounds(v: inout f64[n], k: int) {
    shared old: f64[B]
    shared new: f64[B]
    let t = thread.x
    let i = min(block.x * B + t, n - 1)
    for q in 0:k {
        new[t] = sin(f64(i + q)) * v[i]
        barrier
        old[t] = new[B - 1 - t]
        barrier
        v[i] = old[(t + 1) % B]
    }
}
export fn step_rounds(u: f64[n], k: int) -> f64[n] {
    var v = u
    launch rounds[n // B, B](v, k)
    return v
}
export fn slope_cross(u: f64[n, m]) -> f64[n, m] = grad(fn(x) => sum(step_cross(x) ^ 2))(u)
export fn slope_box(u: f64[n, m]) -> f64[n, m] = grad(fn(x) => sum(step_box(x) ^ 2))(u)
print(0)
