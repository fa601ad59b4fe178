# With --fp=reassoc a product with an inverse that serves nothing else solves; what an error says stays.
# RUN: dslc --fp=reassoc --emit=loops %s | FileCheck %s
# CHECK-LABEL: func @left
# CHECK-NOT: lu_inv
# CHECK: msg = "inv", name = "lu_solve"}
# CHECK: return(
export fn left(a: f64[n, n], b: f64[n]) -> f64[n] = inv(a) @ b
# CHECK-LABEL: func @right
# CHECK-NOT: lu_inv
# CHECK: msg = "inv", name = "lu_solve", transposed
# CHECK: return(
export fn right(a: f64[n, n], b: f64[n]) -> f64[n] = b @ inv(a)
# CHECK-LABEL: func @turned
# CHECK-NOT: lu_inv
# CHECK: msg = "inv", name = "lu_solve", transposed
# CHECK: return(
export fn turned(a: f64[n, n], b: f64[n, m]) -> f64[n, m] = inv(a).T @ b
# CHECK-LABEL: func @columns
# CHECK-NOT: lu_inv
# CHECK: msg = "inv", name = "lu_solve", transposed
# CHECK: return(
export fn columns(a: f64[n, n], b: f64[m, n]) -> f64[m, n] = b @ inv(a)
# CHECK-LABEL: func @kept
# CHECK: name = "lu_inv"
# CHECK-NOT: lu_solve
# CHECK: return(
export fn kept(a: f64[n, n], b: f64[n, m]) -> (f64[n, n], f64[n, m]) {
    let x = inv(a)
    return (x, x @ b)
}
