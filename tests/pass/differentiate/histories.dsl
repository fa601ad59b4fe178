# What a nest of loops reads of an array that it changes later is written down, a number for each turn of the loops around, or a row: no
# turn keeps the array.  What the array still has at its end (the row of the pivot), and what nobody asks for (what is subtracted from), is not.
# RUN: dslc check --memory %s 2>&1 | FileCheck %s
# RUN: dslc --emit=grad %s -o - | FileCheck %s --check-prefix=GRAD
# CHECK:      histories.dsl:[[#@LINE+18]]:21: kept of 'a', a row for each turn: 8*n*max(n - 1, 0) bytes
# CHECK-NEXT: kept in all: 8*n*max(n - 1, 0) bytes
# CHECK-NEXT: nothing is kept of loops
# CHECK-NEXT: histories.dsl:[[#@LINE+35]]:21: kept of 'a', a row for each turn: 8*n*max(n - 1, 0) bytes
# CHECK-NEXT: kept in all: 8*n*max(n - 1, 0) bytes
# CHECK-NEXT: histories.dsl:[[#@LINE+47]]:25: kept of 'a', a row for each turn: 8*n*n*max(n - 1, 0) bytes
# CHECK-COUNT-2: kept of 'a', a row for each turn: 8*n*max(n - 1, 0) bytes
# CHECK-NEXT: kept of 'a', a row for each turn: 8*n*n*max(n - 1, 0) bytes
# CHECK-NEXT: kept in all: 16*n*n*max(n - 1, 0) + 16*n*max(n - 1, 0) bytes
# GRAD-LABEL: func @plain_slope
# GRAD: empty : f64[n, max(n - 1, 0)]
# GRAD: for({{.*}} : f64[n, n], f64[n, max(n - 1, 0)] {
# GRAD: for({{.*}} : f64[n, n], f64[n, max(n - 1, 0)] {
# GRAD: for({{.*}} : f64[n, n] {
fn plain(a: f64[n, n]) -> f64 {
    var u = a
    for k in 0:n {
        for i in k + 1:n {
            let f = u[i, k] / u[k, k]
            for j in k:n { u[i, j] -= f * u[k, j] }
        }
    }
    return u[n - 1, n - 1]
}
fn left(a: f64[n, n]) -> f64 { # the factor is left in the array
    var u = a
    for k in 0:n {
        for i in k + 1:n {
            u[i, k] /= u[k, k]
            for j in k + 1:n { u[i, j] -= u[i, k] * u[k, j] }
        }
    }
    return u[n - 1, n - 1]
}
fn rows(a: f64[n, n]) -> f64 {
    var u = a
    for k in 0:n {
        for i in k + 1:n {
            let f = u[i, k] / u[k, k]
            u[i, k:] -= f * u[k, k:]
        }
    }
    return u[n - 1, n - 1]
}
fn rotations(a: f64[n, n]) -> f64 {
    var u = a
    for k in 0:n {
        for i in k + 1:n {
            let r = sqrt(u[k, k]^2 + u[i, k]^2)
            let c = u[k, k] / r
            let s = u[i, k] / r
            for j in k:n {
                let x = u[k, j]
                let y = u[i, j]
                u[k, j] = c * x + s * y
                u[i, j] = c * y - s * x
            }
        }
    }
    return u[n - 1, n - 1]
}
export fn plain_slope(a: f64[n, n]) -> f64[n, n] = grad(plain)(a)
export fn left_slope(a: f64[n, n]) -> f64[n, n] = grad(left)(a)
export fn rows_slope(a: f64[n, n]) -> f64[n, n] = grad(rows)(a)
export fn rotations_slope(a: f64[n, n]) -> f64[n, n] = grad(rotations)(a)
