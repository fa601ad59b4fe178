# Behind a choice a quotient by a number, and a product with one, ask nothing: 0 stays 0. A product with an array does.
# RUN: dslc --emit=grad %s -o - | FileCheck %s
# CHECK-LABEL: func @by_number
# CHECK-NOT: eq(
# CHECK-LABEL: func @by_array
# CHECK: eq(
fn number(x: f64[n]) -> f64 {
    let y = x / 3 * 2
    return sum([if x[i] > 0 { y[i] } else { 0.0 } for i in 0:n])
}
fn array(x: f64[n], a: f64[n]) -> f64 {
    let y = a * x
    return sum([if x[i] > 0 { y[i] } else { 0.0 } for i in 0:n])
}
export fn by_number(x: f64[n]) -> f64[n] = grad(number)(x)
export fn by_array(x: f64[n], a: f64[n]) -> f64[n] = grad(array, wrt=x)(x, a)
