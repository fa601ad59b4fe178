# What is common is factored out where that pays, in any order, of any rank, of sums and differences; a product in two ways of
# writing; and what two others share stays where it is.
# RUN: dslc --fp=reassoc --print-after=saturate --emit=par %s -o %t 2>&1 | FileCheck %s
# RUN: dslc --print-after=saturate --emit=par %s -o %t 2>&1 | FileCheck --check-prefix=STRICT %s
# CHECK-LABEL: func @first
# CHECK-NEXT: [[SUM:%.*]] = add(%y, %z)
# CHECK-NEXT: [[R:%.*]] = mul(%x, [[SUM]])
# CHECK-NEXT: return([[R]])
# STRICT-LABEL: func @first
# STRICT-COUNT-2: mul(
export fn first(x: f64[n], y: f64[n], z: f64[n]) -> f64[n] = x * y + x * z
# CHECK-LABEL: func @turned
# CHECK-COUNT-1: mul(
# CHECK-NOT: mul(
# CHECK: return
export fn turned(x: f64[n, m], y: f64[n, m], z: f64[n, m]) -> f64[n, m] = y * x - x * z
# CHECK-LABEL: func @three
# CHECK-COUNT-1: mul(
# CHECK-NOT: mul(
# CHECK: return
export fn three(x: f32[n], y: f32[n], z: f32[n], w: f32[n]) -> f32[n] = x * y + w + x * z
# CHECK-LABEL: func @matrices
# CHECK-COUNT-1: dot(
# CHECK-NOT: dot(
# CHECK: return
export fn matrices(a: f64[n, n], b: f64[n, n], c: f64[n, n]) -> f64[n, n] = a @ b - a @ c + a
# CHECK-LABEL: func @shared
# CHECK-COUNT-2: dot(
# CHECK-NOT: dot(
# CHECK: return
export fn shared(a: f64[n, n], b: f64[n, n], c: f64[n, n]) -> (f64[n, n], f64[n, n]) {
    let p = a @ b
    return (p + a @ c, p)
}
