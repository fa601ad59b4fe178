# A row that a loop computes of rows beside it is written in place.  A part that would read what it writes goes through an array of
# its own.
# RUN: dslc --emit=c %s -o - | FileCheck %s
# CHECK-LABEL: dsl_array *summed(dsl_array *x_arr)
# CHECK-NOT: dsl_new
# CHECK: x[i][j] = x[t][j] + x1[i][j];
# CHECK-LABEL: dsl_array *backwards(dsl_array *x_arr)
# CHECK-NOT: dsl_new
# CHECK: return
# CHECK-LABEL: dsl_array *overlapping(dsl_array *x_arr)
# CHECK: dsl_new(
export fn summed(x: f64[n, m]) -> f64[n, m] {
    var y = x
    for i in 1:n { y[i] = y[i - 1] + x[i] }
    return y
}
export fn backwards(x: f64[n, m]) -> f64[n, m] {
    var y = x
    for i in 0:n - 1 { y[n - 2 - i] += 2 * y[n - 1 - i] }
    return y
}
export fn overlapping(x: f64[n, m]) -> f64[n, m] {
    var y = x
    y[3:5] = y[2:4] * 2
    return y
}
