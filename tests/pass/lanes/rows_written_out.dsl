# Lanes that each read a row of their own are written out, as chains of sums, not put together to a vector: what they add up
# lies in an array of their own, which is no line of one that others see.
# RUN: dslc --emit=c -O3 %s | FileCheck %s
fn factor(a: f64[m, m]) -> f64[m, m] {
    var l = zeros(f64, m, m)
    for i in 0:m {
        for j in 0:i {
            var s = a[i, j]
            for k in 0:j { s -= l[i, k] * l[j, k] }
            l[i, j] = s / l[j, j]
        }
        l[i, i] = sqrt(a[i, i])
    }
    return l
}
# CHECK-LABEL: dsl_array *factored(dsl_array *a_arr)
# CHECK: _Alignas(64) double s[8];
# CHECK-NOT: omp simd
# CHECK: #pragma GCC unroll 8
# CHECK: s[lane] =
# CHECK-NOT: omp simd
# CHECK: #pragma GCC unroll 8
# CHECK: s[lane]{{.*}} - l[{{.*}}][k] * l[j][k]
export fn factored(a: f64[m, m]) -> f64[m, m] = factor(a)
