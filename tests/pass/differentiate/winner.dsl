# Of the least of elements that are compared for each of many only the winner gets anything: what it is made of is looked
# at there alone, found once for all, each element computed once; no sum over those that lost.
# RUN: dslc --emit=par %s -o - | FileCheck %s
# CHECK-LABEL: func @slope
# CHECK: generate : i64[n] {
# CHECK: reduce({{.*}}) {kind = custom} : f64, i64 {
# CHECK: reduce(
# CHECK-NOT: reduce(
# CHECK: atomic(
# CHECK-NOT: reduce(
# CHECK: return
fn cost(points: f64[n, d], centroids: f64[k, d]) -> f64 =
    sum(min(sum((points[i, j] - centroids[c, j])^2 for j) for c) for i)
export fn slope(points: f64[n, d], centroids: f64[k, d]) -> f64[k, d] = grad(cost, wrt=centroids)(points, centroids)

# What each has of its own is gathered: no update, no sum over those that lost.
# CHECK-LABEL: func @pull
# CHECK: reduce({{.*}}) {kind = custom} : f64, i64 {
# CHECK: reduce(
# CHECK-NOT: reduce(
# CHECK-NOT: atomic(
# CHECK: return
export fn pull(points: f64[n, d], centroids: f64[k, d]) -> f64[n, d] = grad(cost, wrt=points)(points, centroids)

# Where each element belongs to one comparison it asks whether it won.
# CHECK-LABEL: func @rows
# CHECK-NOT: atomic(
# CHECK: return
export fn rows(a: f64[n, m]) -> f64[n, m] = grad(fn(a: f64[n, m]) => sum(max(a[i, j] for j)^2 for i))(a)
