# A loop over time that cannot be tiled, since elements come from anywhere: its nests stay as they were, all updates in one.
# RUN: dslc --emit=c %s | FileCheck %s
# CHECK-LABEL: {{^}}struct turns_results turns({{[^;]*$}}
# CHECK: for (int64_t t
# CHECK: double *restrict x = x_arr->data;
# CHECK: for (int64_t i = 0; i < n; i++) {
# CHECK-NOT: for (
# CHECK: x[i] +=
# CHECK-NOT: for (
# CHECK: p[i] =
export fn turns(p0: f64[n], at: int[n], m: int) -> (f64[n], f64[n]) {
    var p = p0
    var x = zeros(f64, n)
    for t in 0:m {
        let q = [p[at[i]] * 0.5 for i in 0:n]
        let s = sum(q * q)
        x += s * p
        p = q + s * p
    }
    return (x, p)
}
