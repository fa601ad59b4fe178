# Sums over several indices, with several rows and columns, are matrix products of arrays under another shape.  What does not lie so is
# written out first: by elements that are read in another order, functions of them, and convolutions (where that does not take too much).  What has no rows or no columns, or few, and sums of three factors stay.
# RUN: dslc --emit=par --passes=inline,fold,cse,prove-bounds,raise,cse,dce --fp=reassoc %s -o - | FileCheck %s
# RUN: dslc --emit=par --passes=inline,fold,cse,prove-bounds,raise --fp=contract %s -o - | FileCheck %s --check-prefix=STRICT
# STRICT-NOT: dot(
# CHECK-LABEL: func @dense
# CHECK: %[[M:.*]] = reshape(%x) {safe} : f64[b*t, k]
# CHECK: dot(%[[M]], %w) {trans = [0, 0]} : f64[b*t, j]
# CHECK: reshape(%{{.*}}) {safe} : f64[b, t, j]
export fn dense(x: f64[b, t, k], w: f64[k, j]) -> f64[b, t, j] = [sum(x[b, t, k] * w[k, j] for k) for b, t, j]
# CHECK-LABEL: func @both
# CHECK: reshape(%x) {safe} : f64[i, k*l]
# CHECK: reshape(%y) {safe} : f64[k*l, j]
# CHECK: dot(%{{.*}}, %{{.*}}) {trans = [0, 0]} : f64[i, j]
export fn both(x: f64[i, k, l], y: f64[k, l, j]) -> f64[i, j] = [sum(x[i, k, l] * y[k, l, j] for k, l) for i, j]
# CHECK-LABEL: func @turned
# CHECK: reshape(%y) {safe} : f64[j, k*l]
# CHECK: reshape(%x) {safe} : f64[k*l, i]
# CHECK: dot(%{{.*}}, %{{.*}}) {trans = [0, 0]} : f64[j, i]
export fn turned(x: f64[k, l, i], y: f64[j, k, l]) -> f64[j, i] = [sum(x[k, l, i] * y[j, k, l] for k, l) for j, i]
# CHECK-LABEL: func @other_order
# CHECK: generate : f64[k, l, j]
# CHECK: extract(%y, %{{.*}}, %{{.*}}, %{{.*}}) {safe} : f64
# CHECK: dot(
export fn other_order(x: f64[i, k, l], y: f64[l, k, j]) -> f64[i, j] = [sum(x[i, k, l] * y[l, k, j] for k, l) for i, j]
# CHECK-LABEL: func @heads
# CHECK: generate : f64[b, h, t, k]
# CHECK: generate : f64[b, h, k, s]
# CHECK: dot(%{{.*}}, %{{.*}}) {trans = [0, 0]} : f64[b, h, t, s]
export fn heads(q: f64[b, t, h, k], p: f64[b, s, h, k]) -> f64[b, h, t, s] = [sum(q[b, t, h, k] * p[b, s, h, k] for k) for b, h, t, s]
# CHECK-LABEL: func @function
# CHECK: generate : f64[i, k]
# CHECK: exp(
# CHECK: dot(
export fn function(x: f64[i, k], y: f64[k, j]) -> f64[i, j] = [sum(exp(x[i, k]) * y[k, j] for k) for i, j]
# CHECK-LABEL: func @layer
# CHECK: reshape(%w) {safe} : f32[32, 48]
# CHECK: generate : f32[16, 3, 62]
# CHECK: dot(%{{.*}}, %{{.*}}) {trans = [0, 0]} : f32[32, 62]
export fn layer(w: f32[32, 16, 3], p: f32[16, 64]) -> f32[32, 62] = [sum(w[k, l, v] * p[l, j + v] for l, v) for k, j in 0:62]
# Of unknown size it might not fit into memory: both ways.
# CHECK-LABEL: func @any_layer
# CHECK: %[[F:.*]] = le(%{{.*}}, %{{.*}}) : bool
# CHECK: if(%{{.*}}) : f32[q, u - v + 1] {
# CHECK: generate : f32[r, v, u - v + 1]
# CHECK: dot(
# CHECK: } {
# CHECK-NOT: dot(
# CHECK: reduce(
export fn any_layer(w: f32[q, r, v], p: f32[r, u]) -> f32[q, u - v + 1] = [sum(w[k, l, a] * p[l, j + a] for l, a) for k, j in 0:u - v + 1]
# CHECK-LABEL: func @depthwise
# CHECK-NOT: dot(
export fn depthwise(w: f32[32, 9], p: f32[32, 64]) -> f32[32, 56] = [sum(w[k, v] * p[k, j + v] for v) for k, j in 0:56]
# CHECK-LABEL: func @few_channels
# CHECK-NOT: dot(
export fn few_channels(w: f32[4, 16, 3], p: f32[16, 64]) -> f32[4, 62] = [sum(w[k, l, v] * p[l, j + v] for l, v) for k, j in 0:62]
# CHECK-LABEL: func @three
# CHECK-NOT: dot(
export fn three(x: f64[i, k], y: f64[k, j], z: f64[k]) -> f64[i, j] = [sum(x[i, k] * y[k, j] * z[k] for k) for i, j]
# CHECK-LABEL: func @half
# CHECK-NOT: dot(
export fn half(x: f64[i, k, l], y: f64[k, j]) -> f64[i, j] = [sum(x[i, k, l] * y[k, j] for k, l) for i, j]
# A factor of one axis is written out for each pair of indices: where that fits; of nine indices there is no array.
# CHECK-LABEL: func @lags
# CHECK: if(
# CHECK: dot(
# CHECK: } {
# CHECK: reduce(
export fn lags(x: f64[n, 2], w: f64[l, c]) -> f64[n - l, c] = [sum(x[i + a, 0] * w[a, c] for a in 0:l) for i in 0:n - l, c]
# CHECK-LABEL: func @nine
# CHECK-NOT: dot(
export fn nine(a: f64[12, 2], b: f64[2, 10]) -> f64[12, 10] = [sum((a[i, p] + q + r + s + t + u + v + w) * (b[p, j] + q + r + s + t + u + v + w) for p in 0:2, q in 0:2, r in 0:2, s in 0:2, t in 0:2, u in 0:2, v in 0:2, w in 0:2) for i in 0:12, j in 0:10]
# A reduction keeps no large product; short sums stay.
# CHECK-LABEL: func @greatest
# CHECK: if(
# CHECK: dot(
# CHECK: } {
# CHECK-NOT: dot(
export fn greatest(x: f64[n, k], y: f64[m, k]) -> f64 = max(sum(x[i, k] * y[j, k] for k) for i, j)
# CHECK-LABEL: func @short
# CHECK-NOT: dot(
export fn short(x: f64[n, 3], y: f64[m, 3]) -> f64[n, m] = [sum(x[i, k] * y[j, k] for k) for i, j]
# Rows that are read the other way around are written out.
# CHECK-LABEL: func @turned_around
# CHECK: generate : f64[n, k]
# CHECK: dot(
export fn turned_around(x: f64[n, k], y: f64[k, j]) -> f64[n, j] = [sum(x[n - 1 - i, q] * y[q, j] for q) for i in 0:n, j]
