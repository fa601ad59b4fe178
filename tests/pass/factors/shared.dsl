# A matrix is factored once: before the loop, for the determinant too, and for the derivative, which solves with it transposed.
# RUN: dslc --emit=loops %s | FileCheck %s
# CHECK-LABEL: func @steps
# CHECK: name = "lu_factor"
# CHECK: for(
# CHECK-NOT: lu_factor
# CHECK: name = "lu_solve"
export fn steps(a: f64[n, n], x0: f64[n], t: int) -> f64[n] {
    var x = x0
    for k in 0:t { x = solve(a, x) }
    return x
}
# CHECK-LABEL: func @both
# CHECK: name = "lu_factor"
# CHECK-NOT: lu_factor
# CHECK: return(
export fn both(a: f64[n, n], b: f64[n], c: f64[n, m]) -> f64 = sum(solve(a, b)) + sum(solve(a, c)) + det(a) + slogdet(a).1 + sum(inv(a))
# CHECK-LABEL: func @slope
# CHECK: name = "lu_factor"
# CHECK-NOT: lu_factor
# CHECK: name = "lu_solve", transposed
# CHECK-NOT: lu_factor
# CHECK: return(
export fn slope(a: f64[n, n], b: f64[n]) -> f64[n, n] = grad(fn(a) => sum(solve(a, b)^2) + logdet(a))(a)
# The gradient of Cholesky's factor solves with triangles.
# CHECK-LABEL: func @root
# CHECK-NOT: lu_
# CHECK: name = "trisolve", transposed
# CHECK-NOT: lu_
# CHECK: return(
export fn root(a: f64[n, n]) -> f64[n, n] = grad(fn(a) => sum(cholesky(a)^3))(a)
# CHECK-LABEL: func @rooted
# CHECK: name = "chol_factor"
# CHECK: for(
# CHECK-NOT: chol_factor
# CHECK: name = "cholesky"
export fn rooted(a: f64[n, n], x0: f64[n], t: int) -> f64[n] {
    var x = x0
    for k in 0:t { x = cho_solve(cholesky(a), x) }
    return x
}
