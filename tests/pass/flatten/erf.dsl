# erf is arithmetic of the runtime: the loop around it is one for vectors, also in a function that is mapped, and in f32.
# RUN: dslc --emit=c %s | FileCheck %s
# CHECK-LABEL: {{^}}dsl_array *cdf(dsl_array *{{[a-z]+}}_arr
# CHECK: omp parallel for{{.*}}
# CHECK: dsl_erf({{.*}})
# CHECK-LABEL: {{^}}dsl_array *single(dsl_array *{{[a-z]+}}_arr
# CHECK: omp {{.*}}simd
# CHECK: dsl_erff({{.*}})
fn normal_cdf(x: f64) -> f64 = 0.5 * (1 + erf(x / sqrt(2.0)))
export fn cdf(x: f64[n]) -> f64[n] = map(normal_cdf, x)
export fn single(x: f32[n]) -> f32[n] = erf(x)
