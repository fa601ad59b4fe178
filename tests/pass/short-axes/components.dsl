# Three components of a sum that takes much for each of its elements are written out, of which much is the same; not where
# little is, nor a long axis
# RUN: dslc --emit=par %s | FileCheck %s
fn w(x: f64[n], i: int, j: int) -> f64 = 1 / (1 + (x[i] - x[j])^2) / (2 + x[i] * x[j]) / (3 + x[j])
export fn three(x: f64[n], v: f64[n, 3]) -> f64[n, 3] = [sum(w(x, i, k) * v[k, c] for k in 0:n) for i in 0:n, c in 0:3]
# CHECK: export func @three(
# CHECK: reduce({{.*}}) {kind = add} : f64, f64, f64 {{[{]$}}
# CHECK-NOT: reduce
# CHECK: return(
export fn little(a: f64[n, m], v: f64[m, 3]) -> f64[n, 3] = [sum(a[i, k] * v[k, c] for k in 0:m) for i in 0:n, c in 0:3]
# CHECK: export func @little(
# CHECK: reduce({{.*}}) {kind = add} : f64 {{[{]$}}
# CHECK: return(
export fn nine(x: f64[n], v: f64[n, 9]) -> f64[n, 9] = [sum(w(x, i, k) * v[k, c] for k in 0:n) for i in 0:n, c in 0:9]
# CHECK: export func @nine(
# CHECK: reduce({{.*}}) {kind = add} : f64 {{[{]$}}
# CHECK: return(
