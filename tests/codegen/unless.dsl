# What was not chosen has derivative 0, also where it is infinite: that is said without a branch, so that gcc makes vectors.
# RUN: dslc --emit=c %s -o - | FileCheck %s
# CHECK: #pragma omp parallel for simd
# CHECK: dsl_unless_f64({{.*}} == 0.0,
# CHECK: #pragma omp parallel for simd
# CHECK: dsl_unless_f32({{.*}} == 0.0f,
fn rate(x: f64) -> f64 = if abs(x) < 1e-6 { 1 - x / 2 } else { x / (exp(x) - 1) }
fn total(x: f64[n], w: f64[n]) -> f64 = sum(rate(x * w))
export fn slope(x: f64[n], w: f64[n]) -> f64[n] = grad(total, wrt=x)(x, w)
fn rate32(x: f32) -> f32 = if abs(x) < 1e-3 { 1 - x / 2 } else { x / (exp(x) - 1) }
fn total32(x: f32[n], w: f32[n]) -> f32 = sum(rate32(x * w))
export fn slope32(x: f32[n], w: f32[n]) -> f32[n] = grad(total32, wrt=x)(x, w)
