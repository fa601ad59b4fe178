# A body that reads several columns is reversed once for each row, for all of them: the exponential is there once.
# RUN: dslc --emit=par %s -o - | FileCheck %s
# CHECK-LABEL: func @by_rows
# CHECK: generate : f64[n], f64[n], f64[n], f64[n]
# CHECK: exp(
# CHECK-NOT: exp(
# CHECK: return
fn distance(x: f64[n, 4], i: int) -> f64 {
    let a = exp(x[i, 0] * x[i, 1] - x[i, 2])
    let b = sqrt(a^2 + x[i, 3]^2 + 1) / (1 + x[i, 0]^2)
    let c = sin(a * b) * cos(x[i, 1] + b) + x[i, 2] * x[i, 3] * a
    return c^2 + b * sin(x[i, 3] * c) / (1 + a^2)
}
export fn by_rows(x: f64[n, 4]) -> f64[n, 4] = grad(fn(y: f64[n, 4]) => sum(distance(y, i) for i in 0:n))(x)

# Columns of rows that an index chooses, too: their adjoints are scattered from what the body gave.
# CHECK-LABEL: func @chosen
# CHECK: generate : f64[m], f64[m], f64[m], f64[m]
# CHECK: exp(
# CHECK-NOT: exp(
# CHECK: return
export fn chosen(x: f64[n, 4], at: int[m]) -> f64[n, 4] = grad(fn(y: f64[n, 4]) => sum(distance(y, at[i]) for i in 0:m))(x)

# Two cheap columns stay in one comprehension.
# CHECK-LABEL: func @cheap
# CHECK: generate : f64[n, 2]
# CHECK-NOT: generate
# CHECK: return
export fn cheap(x: f64[n, 2]) -> f64[n, 2] = grad(fn(y: f64[n, 2]) => sum(y[i, 0]^2 * y[i, 1] for i in 0:n))(x)
