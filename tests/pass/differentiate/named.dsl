# Sizes of one name are not taken for one size where bytes are told: those of randn(1, 2 * n, n) are less what n is below 0.
# RUN: dslc check --memory %s 2>&1 | FileCheck %s
# CHECK-NOT: 0 bytes
# CHECK: kept of 'x', a row for each turn: 48*n*n - 96*n*n2 + 48*n2*n2 bytes
# CHECK-NEXT: kept in all: 48*n*n - 96*n*n2 + 48*n2*n2 bytes
fn turned(x: f64[m, n]) -> f64 {
    var v = x
    for t in 0:3 { v = sin(v * v[0, 0]) }
    return sum(v)
}
for n in [3, 4] { print(grad(turned)(randn(1, 2 * n, n))) }
