# A sum of sums is one sum over both indices, of which threads take rows, with the same tree; so are extremes.  Where the inner one
# goes as far as the outer index says, or much is computed beside it, it stays: then there are threads only for several turns.
# RUN: dslc --emit=par %s -o - | FileCheck %s
# RUN: dslc --emit=c %s | FileCheck --check-prefix=CODE %s
# CHECK-LABEL: func @nested
# CHECK: reduce([[N:%.*]], [[M:%.*]]) {kind = add}
# CHECK-NOT: reduce(
# CHECK: return
# CODE-LABEL: double nested(dsl_array *a_arr, dsl_array *b_arr)
# CODE: #pragma omp parallel for schedule(static) if (parallel: n * t
export fn nested(a: f64[n, m], b: f64[n]) -> f64 = sum(sum(a[i, j] * b[i] for j in 0:m) for i in 0:n)
# CHECK-LABEL: func @three
# CHECK: reduce({{[^,]*}}, {{[^,]*}}, {{[^,]*}}) {kind = max}
# CHECK-NOT: reduce(
# CHECK: return
export fn three(a: f32[n, m, k]) -> f32 = max(max(max(a[i, j, l] for l in 0:k) for j in 0:m) for i in 0:n)
# CHECK-LABEL: func @mixed
# CHECK: reduce([[N:%[^,]*]]) {kind = max}
# CHECK: reduce([[M:%[^,]*]]) {kind = add}
# CHECK: return
export fn mixed(a: f64[n, m]) -> f64 = max(sum(a[i, j] for j in 0:m) for i in 0:n)
# CHECK-LABEL: func @triangle
# CHECK: reduce([[N:%[^,]*]]) {kind = add}
# CHECK: reduce(%i) {kind = add}
# CHECK: return
# CODE-LABEL: double triangle(dsl_array *a_arr)
# CODE: #pragma omp parallel for schedule(static) if (parallel: [[T:t[0-9]*]] > 1)
# CODE-NEXT: for (int64_t i = 0; i < [[T]]; i++)
export fn triangle(a: f64[n, n]) -> f64 = sum(sum(a[i, j] for j in 0:i) for i in 0:n)
