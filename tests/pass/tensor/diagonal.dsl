# A product with a matrix that has nothing but 0 beside its diagonal scales rows or columns, however the matrix is written; with the
# unit matrix it is none.  So is its derivative: no product, nothing scattered.  A matrix with something else there is one.
# RUN: dslc --fp=reassoc --print-after=saturate --emit=par %s -o %t 2>&1 | FileCheck %s
# RUN: dslc --print-after=tensor --emit=par %s -o %t 2>&1 | FileCheck --check-prefix=STRICT %s
# RUN: dslc --fp=reassoc --emit=loops %s -o %t.ir && FileCheck --check-prefix=LOOPS %s < %t.ir
# CHECK-LABEL: func @rows
# CHECK-NEXT: [[V:%.*]] = broadcast(%v) {axes = [0]} : f64[n, m]
# CHECK-NEXT: [[R:%.*]] = mul([[V]], %a)
# CHECK-NEXT: return([[R]])
# STRICT-LABEL: func @rows
# STRICT: dot(
export fn rows(v: f64[n], a: f64[n, m]) -> f64[n, m] = diag(v) @ a
# CHECK-LABEL: func @columns
# CHECK-NEXT: [[V:%.*]] = broadcast(%v) {axes = [1]} : f32[m, n]
# CHECK-NEXT: mul(%a, [[V]])
# CHECK-NEXT: return
export fn columns(v: f32[n], a: f32[m, n]) -> f32[m, n] = a @ [if j == i { v[j] } else { f32(0) } for i in 0:n, j in 0:n]
# CHECK-LABEL: func @turned
# CHECK-NOT: dot(
# CHECK: return
export fn turned(v: f64[n], a: f64[m, n]) -> f64[n, m] = diag(v) @ a.T
# CHECK-LABEL: func @vectors
# CHECK-NEXT: mul(%v, %x)
# CHECK-NEXT: return
export fn vectors(v: f64[n], x: f64[n]) -> f64[n] = diag(v) @ x
# CHECK-LABEL: func @unit
# CHECK-NOT: dot(
# CHECK: return
export fn unit(a: f64[n, n], c: f64) -> f64[n, n] = (eye(n) + 2 * eye(n)) @ a @ eye(n)
# CHECK-LABEL: func @gain
# CHECK: dot(%h, %p) : f64[6, n]
# CHECK-NEXT: dot(%k, {{.*}}) : f64[n, n]
# CHECK-NOT: dot(
# CHECK: return
export fn gain(p: f64[n, n], k: f64[n, 6], h: f64[6, n]) -> f64[n, n] = (eye(n) - k @ h) @ p
fn loss(v: f64[n], a: f64[n, m], x: f64[n, m]) -> f64 = sum((diag(v) @ a + x)^2)
# CHECK-LABEL: func @slope
# CHECK-NOT: dot(
# CHECK: return
# LOOPS-LABEL: func @slope
# LOOPS-NOT: atomic(
# LOOPS: return
export fn slope(v: f64[n], a: f64[n, m], x: f64[n, m]) -> f64[n] = grad(loss, wrt=v)(v, a, x)
# CHECK-LABEL: func @other
# CHECK: dot(
# CHECK: return
export fn other(v: f64[n], a: f64[n, n]) -> f64[n, n] = [if i == j { v[i] } else { 0.5 } for i in 0:n, j in 0:n] @ a
