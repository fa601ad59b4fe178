# A guard on a multiple of the index that only the running program knows: the loop ends where it no longer holds, unless
# something may wrap; the turns that are left are shared by threads, not 32 at a time.
# RUN: dslc --emit=c %s | FileCheck %s

# CHECK-LABEL: {{^}}dsl_array *less(dsl_array *x_arr
# CHECK: const int64_t [[TURNS:.*]] = {{.*}} > 0 && ({{.*}} <= 2147483648 && {{.*}} <= 2147483648)
# CHECK: dsl_min_i64
# CHECK-NOT: & -32
# CHECK: #pragma omp parallel for schedule(static) if (parallel: [[TURNS]] * w > {{[0-9]+}})
# CHECK-NEXT: for (int64_t i = 0; i < [[TURNS]]; i++)
export fn less(x: f64[n], w: int, m: int) -> f64[n] {
    var y = x
    parallel for i in 0:m {
        if i * w < n {
            var s = 0.0
            for k in i * w:min(i * w + w, n) { s += s * 0.5 + 1.0; if k >= 0 { y[k] = s } }
        }
    }
    return y
}
# The bound first, at most, with something added, and another condition
# CHECK-LABEL: {{^}}dsl_array *both(dsl_array *x_arr
# CHECK: const int64_t [[TURNS:.*]] = {{.*}} > 0 && ({{.*}} <= 2147483648
# CHECK: for (int64_t i = 0; i < [[TURNS]]; i++)
export fn both(x: f64[n], w: int, a: int, m: int) -> f64[n] {
    var y = x
    parallel for i in 0:m {
        if n - a >= 2 * i * w + 3 and i < n {
            var s = 0.0
            for k in 0:n { s = s * 0.5 + x[k] }
            y[i] = s
        }
    }
    return y
}
# From below, or what is no line: as it was
# CHECK-LABEL: {{^}}dsl_array *others(dsl_array *x_arr
# CHECK-NOT: 2147483648
export fn others(x: f64[n], w: int, m: int) -> f64[n] {
    var y = x
    parallel for i in 0:min(m, n) { if i * w > n { y[i] = 1.0 } }
    parallel for i in 0:min(m, n) { if i * i * w < n { y[i] = 2.0 } }
    parallel for i in 0:min(m, n) { if i * w == n { y[i] = 3.0 } }
    return y
}
