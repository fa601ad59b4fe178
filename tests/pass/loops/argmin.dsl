# The place of the least of what is computed: one loop over it, no array of it.
# RUN: dslc --emit=loops %s | FileCheck %s
# CHECK-LABEL: func @nearest
# CHECK-NOT: empty : f64[n]
# CHECK: partial = empty : f64[
# CHECK-NOT: empty : f64[n]
# CHECK: return
export fn nearest(x: f64[n, d], q: f64[d]) -> int = argmin([sum((x[i, k] - q[k])^2 for k) for i])
