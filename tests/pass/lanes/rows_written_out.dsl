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

# Where there is more to compute than to read, a vector is what is wanted.
# CHECK-LABEL: double likelihood(
# CHECK: _Alignas(64) double lane[8]
# CHECK-NOT: GCC unroll
# CHECK: #pragma omp simd
# CHECK-NOT: GCC unroll
# CHECK: dsl_log1p(dsl_exp(
export fn likelihood(w: f64[4], x: f64[300, 4], y: f64[300]) -> f64 {
    let z = x @ w
    return sum(y * z - (max(z, 0.0) + log1p(exp(-abs(z)))))
}
