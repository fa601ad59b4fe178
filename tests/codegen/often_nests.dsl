# Nests in a loop over time, with sums inside, and loops in branches: no team of threads where there is little to do.
# RUN: dslc --emit=c %s | FileCheck %s
# CHECK: {{^}}dsl_array *steps(
# CHECK-NOT: if (parallel
# CHECK: #pragma omp parallel for schedule(static){{$}}
# CHECK-NOT: if (parallel
# CHECK: } else {
# CHECK-NOT: omp parallel
# CHECK: {{^}}dsl_array *once(
export fn steps(a: f64[n, n], x: f64[n], t: int) -> f64[n] {
    var y = x
    for k in 0:t { y = [sin(sum(a[i, j] * y[j] for j)) for i in 0:n] }
    return y
}
# CHECK: if (parallel
# CHECK: {{^}}static void script
export fn once(a: f64[n, n], x: f64[n]) -> f64[n] = [sin(sum(a[i, j] * x[j] for j)) for i in 0:n]
