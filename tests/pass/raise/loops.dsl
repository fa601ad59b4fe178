# Products of matrices that loops, parallel loops, launches and rows by columns spell are dot, with --fp=reassoc.
# RUN: dslc --emit=par --fp=reassoc --verify-each %s | FileCheck %s
# RUN: dslc --emit=par %s | FileCheck %s --check-prefix=STRICT
# STRICT-NOT: dot(
# STRICT: main @main

# CHECK-LABEL: func @loops
# CHECK-NEXT: dot(%a, %b) {trans = [0, 0]} : f64[n, m]
# CHECK-NEXT: return
export fn loops(a: f64[n, k], b: f64[k, m]) -> f64[n, m] {
    var c = zeros(f64, n, m)
    for l in 0:k { for i in 0:n { for j in 0:m { c[i, j] += a[i, l] * b[l, j] } } }
    return c
}
# What was there before is added.
# CHECK-LABEL: func @onto
# CHECK: dot(%a, %b) {trans = [1, 0]} : f64[n, m]
# CHECK: add(
# CHECK: return
export fn onto(c0: f64[n, m], a: f64[k, n], b: f64[k, m]) -> f64[n, m] {
    var c = c0
    for i in 0:n { for j in 0:m { for l in 0:k { c[i, j] += a[l, i] * b[l, j] } } }
    return c
}
# CHECK-LABEL: func @rows
# CHECK: dot(%a, %b) {trans = [0, 0]} : f64[n, m]
# CHECK-NOT: generate
# CHECK: return
export fn rows(a: f64[n, k], b: f64[k, m]) -> f64[n, m] {
    var c = zeros(f64, n, m)
    for i in 0:n { for j in 0:m { c[i, j] = sum(a[i, :] * b[:, j]) } }
    return c
}
# CHECK-LABEL: func @elements
# CHECK: dot(%a, %b) {trans = [0, 0]} : f64[n, m]
# CHECK-NOT: generate
# CHECK: return
export fn elements(a: f64[n, k], b: f64[k, m]) -> f64[n, m] = [sum(a[i, :] * b[:, j]) for i in 0:n, j in 0:m]

# CHECK-LABEL: func @parallel_loop
# CHECK: dot(%a, %b) {trans = [0, 0]} : f64[n, m]
# CHECK-NOT: island
# CHECK: return
export fn parallel_loop(a: f64[n, k], b: f64[k, m]) -> f64[n, m] {
    var c = zeros(f64, n, m)
    parallel for i in 0:n, j in 0:m {
        var s = 0.0
        for l in 0:k { s += a[i, l] * b[l, j] }
        c[i, j] = s
    }
    return c
}
# CHECK-LABEL: func @launched
# CHECK: dot(%a, %b) {trans = [0, 0]} : f64[n, m]
# CHECK-NOT: island
# CHECK: return
kernel multiply(c: out f64[n, m], a: f64[n, k], b: f64[k, m]) {
    let (i, j) = (block.y * blockdim.y + thread.y, block.x * blockdim.x + thread.x)
    if i < n and j < m {
        var s = 0.0
        for l in 0:k { s += a[i, l] * b[l, j] }
        c[i, j] = s
    }
}
export fn launched(a: f64[n, k], b: f64[k, m]) -> f64[n, m] {
    var c = zeros(f64, n, m)
    launch multiply[(ceildiv(m, 16), ceildiv(n, 16)), (16, 16)](c, a, b)
    return c
}
# A vector is as fast in loops.
# CHECK-LABEL: func @times
# CHECK-NOT: dot(
# CHECK: return
export fn times(a: f64[n, k], x: f64[k]) -> f64[n] {
    var y = zeros(f64, n)
    for i in 0:n { for l in 0:k { y[i] += a[i, l] * x[l] } }
    return y
}
