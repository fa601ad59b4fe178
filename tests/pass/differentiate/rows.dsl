# What rows of an array give that other arrays choose is added row by row: the index of a row is read once for it, and the
# loop along the row asks for nothing.  Of both ends of an edge all elements are computed once.
# RUN: dslc --emit=par %s | FileCheck %s
fn taken(w: f64[v, d], ids: int[m]) -> f64 = sum(w[ids]^2)
fn edges(x: f64[n, 3], a: int[m], b: int[m]) -> f64 = sum(1 / (1 + sum((x[a[e]] - x[b[e]])^2)) for e in 0:m)
export fn of_taken(w: f64[v, d], ids: int[m]) -> f64[v, d] = grad(taken, wrt=w)(w, ids)
# CHECK: export func @of_taken(
# CHECK-NOT: generate : i64[m, d]
# CHECK: island(
# CHECK: [[ROW:%[0-9a-z.]+]] = load(
# CHECK-NEXT: parallel(
# CHECK-NEXT: ([[K:%[0-9a-z.]+]]: i64)
# CHECK-NEXT: [[V:%[0-9a-z.]+]] = load(
# CHECK-NEXT: atomic([[V]], %{{[0-9a-z.]+}}, [[ROW]], [[K]]) {kind = add
# CHECK: return(
export fn of_edges(x: f64[n, 3], a: int[m], b: int[m]) -> f64[n, 3] = grad(edges, wrt=x)(x, a, b)
# CHECK: export func @of_edges(
# CHECK-NOT: f64[m]
# CHECK: island(
# CHECK-COUNT-2: div(
# CHECK-NOT: div(
# CHECK-COUNT-6: atomic(
# CHECK-NOT: atomic(
# CHECK: return(
