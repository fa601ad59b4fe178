# Reductions of ints give the same in any order: plain loops, whose vectors the C compiler makes.  Where what they read
# lies beside each other for neighbours alone they have lanes, as those of floats have: products of matrices in tiles,
# columns in strips, windows.
# RUN: dslc --emit=c %s | FileCheck %s
# CHECK-LABEL: {{^}}dsl_array *product(dsl_array *{{[a-z]+}}_arr
# CHECK: row < 4
# CHECK: lane <
# CHECK-LABEL: {{^}}dsl_array *columns(dsl_array *{{[a-z]+}}_arr
# CHECK: lane < 64
# CHECK-LABEL: {{^}}dsl_array *highest(dsl_array *{{[a-z]+}}_arr
# CHECK: lane < 64
# CHECK-LABEL: {{^}}dsl_array *windows(dsl_array *{{[a-z]+}}_arr
# CHECK: lane < 32
# CHECK-LABEL: {{^}}dsl_array *rows(dsl_array *{{[a-z]+}}_arr
# CHECK-NOT: lane
# CHECK: for (int64_t {{[a-z0-9]+}} = 0; {{[a-z0-9]+}} < m; {{[a-z0-9]+}}++) {
# CHECK-NEXT: += a
# CHECK-NOT: lane
# CHECK-LABEL: {{^}}int64_t all_of(dsl_array *{{[a-z]+}}_arr
# CHECK-NOT: lane
# CHECK: return
export fn product(a: int[n, m], b: int[m, k]) -> int[n, k] =
    [sum(a[i, l] * b[l, j] for l in 0:m) for i in 0:n, j in 0:k]
export fn columns(a: int[n, m]) -> int[m] = sum(a, axis=0)
export fn highest(a: int[n, m]) -> int[m] = [max(a[:, j]) for j in 0:m]
export fn windows(a: int[n], m: int) -> int[n - m] = [sum(a[i + k] for k in 0:m) for i in 0:n - m]
export fn rows(a: int[n, m]) -> int[n] = sum(a, axis=1)
export fn all_of(a: int[n]) -> int = sum(a)
