# Of what is symmetric the transpose is itself, and so it is of its products with itself: they are computed once.  Nobody says
# that x is symmetric; that a + a.T is the same as its transpose comes out of the rules.
# RUN: dslc --fp=reassoc --print-after=saturate --emit=par %s -o %t 2>&1 | FileCheck %s
# CHECK-LABEL: func @square
# CHECK: [[T:%.*]] = transpose(%a)
# CHECK: [[X:%.*]] = add(%a, [[T]])
# CHECK: [[P:%.*]] = dot([[X]], [[X]])
# CHECK-NOT: transpose(
# CHECK-NOT: dot(
# CHECK: add([[P]], [[P]])
# CHECK-NEXT: return
export fn square(a: f64[n, n]) -> f64[n, n] {
    let x = a + a.T
    let p = x @ x
    return p + p.T
}
# CHECK-LABEL: func @gram
# CHECK: [[P:%.*]] = dot(%a, %a) {trans = [1, 0]}
# CHECK-NOT: dot(
# CHECK-NOT: transpose(
# CHECK: return
export fn gram(a: f64[n, m]) -> f64[m, m] {
    let p = a.T @ a
    return p - 0.5 * p.T
}
# One that is not symmetric
# CHECK-LABEL: func @other
# CHECK: transpose(
# CHECK: return
export fn other(a: f64[n, n]) -> f64[n, n] {
    let p = a @ a
    return p + p.T
}
