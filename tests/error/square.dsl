let A = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
print(inv(A), det(A), cholesky(A), eigh(A), solve(A, [1.0]), solve([[1.0]], [1.0, 2.0]), trisolve([[1.0]], 3))
fn f(A: f64[n, n + 1]) -> f64 { return det(A) }
