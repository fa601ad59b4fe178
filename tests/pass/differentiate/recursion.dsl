# The adjoint of a call adds to the adjoints so far of the arrays that it gets: it makes none, and adds none up. What
# loops carry for the function's value alone is gone with the calls that compute it. Nobody counts owners of what a
# recursion only reads.
# RUN: dslc --emit=c %s | FileCheck %s
fn minor(a: f64[n, n], row: int, used: int) -> f64 {
    if row == n { return 1.0 }
    var total = 0.0
    var sign = 1.0
    for j in 0:n {
        if (used >> j) & 1 == 0 {
            total += sign * a[row, j] * minor(a, row + 1, used | 1 << j)
            sign = -sign
        }
    }
    return total
}
# CHECK: {{^}}static double minor(dsl_array *a_arr, int64_t row, int64_t used){{$}}
# CHECK-NOT: dsl_re{{tain|lease}}
# CHECK: {{^}}static dsl_array *minor_adjoint(dsl_array *a_arr, int64_t row, int64_t used, double g, dsl_array *sum_arr){{$}}
# CHECK-NOT: = minor(
# CHECK-NOT: = g;
# CHECK: minor(a_arr
# CHECK-NOT: dsl_new(
# CHECK: minor_adjoint(a_arr
# CHECK-NOT: dsl_new(
# CHECK: return sum_arr
export fn cofactors(a: f64[n, n]) -> f64[n, n] = grad(fn(a: f64[n, n]) => minor(a, 0, 0))(a)

# What a call makes for the next one is its own: it goes when that is done with it.
# CHECK: {{^}}static double shrinks(dsl_array *x_arr, int64_t k){{$}}
# CHECK: dsl_release(x_arr)
# CHECK: shrinks(
# CHECK-NOT: dsl_release
# CHECK: return
fn shrinks(x: f64[n], k: int) -> f64 = if k == 0 { sum(x) } else { shrinks([x[i] * 0.5 for i in 0:n], k - 1) }
export fn shrunk(x: f64[n]) -> f64 = shrinks(x, 3)
