# Small and empty matrices, ranks, systems with few diagonals
let none = zeros(f64, 0, 3)
print(svd(none), shape(qr(none).0), rank(none), shape(pinv(none)), eig(zeros(f64, 0, 0)).0, expm(zeros(f64, 0, 0)))
print(rank([[1.0, 2.0], [2.0, 4.0]]), rank(zeros(f64, 3, 2)), rank(eye(4)), cond(diag([1.0, 4.0])), svd([[3.0, 0.0], [0.0, -5.0]]).1)
print(eig([[0.0, 1.0], [-1.0, 0.0]]).0, eig([[2.0]]), lstsq([[1.0, 1.0]], [4.0]), lstsq([[1.0], [1.0]], [[1.0, 2.0], [3.0, 4.0]]))
let n = 50
let x = linspace(0.0, 1.0, n)
let d = solve_tridiagonal(full(-1.0, n - 1), full(2.5, n), full(-1.0, n - 1), x)
print(max(abs([2.5 * d[i] - (if i > 0 { d[max(i - 1, 0)] } else { 0.0 }) - (if i < n - 1 { d[min(i + 1, n - 1)] } else { 0.0 }) - x[i] for i in 0:n])) < 1e-14)
print(solve_tridiagonal(zeros(f64, 0), [2.0], zeros(f64, 0), [3.0]), solve_banded([[2.0, 4.0]], [3.0, 8.0], 0))
