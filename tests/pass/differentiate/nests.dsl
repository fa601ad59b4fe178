# Of a loop in a loop that sets elements and leaves them nothing is kept.
# RUN: dslc check --memory %s 2>&1 | FileCheck %s --check-prefix=KEPT
# RUN: dslc %s --emit=par -o - | FileCheck %s
# KEPT:        nothing is kept of loops
# CHECK-LABEL: func @value(
# CHECK:       for(
# CHECK:       for(
fn table(x: f64[n, m], a: f64) -> f64 {
    var h = x
    for i in 1:n {
        for j in 1:m { h[i, j] += a * h[i - 1, j] * h[i, j - 1] }
    }
    return h[n - 1, m - 1]
}
export fn slope(x: f64[n, m], a: f64) -> f64[n, m] = grad(table, wrt=x)(x, a)
export fn value(x: f64[n, m], a: f64) -> f64 = table(x, a)
# With checkpoints the arrays are kept at the beginning of each segment, and what is read in one of them.
# RUN: dslc check --memory %s 2>&1 | FileCheck %s --check-prefix=STATES
# STATES:      turn: 8*m*n*segments bytes
# STATES-NEXT: turn: 8*segment*max(m - 1, 0) bytes
fn states(x: f64[n, m], a: f64) -> f64 {
    var h = x
    for i in checkpoint(1:n) {
        for j in 1:m { h[i, j] += a * h[i - 1, j] * h[i, j - 1] }
    }
    return h[n - 1, m - 1]
}
export fn slope_of_states(x: f64[n, m], a: f64) -> f64[n, m] = grad(states, wrt=x)(x, a)
