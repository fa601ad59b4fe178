let a = [[4.0, 1.0], [1.0, 3.0]]
let b = [1.0, 2.0]
let x = solve(a, b)
print(max(abs(a @ x - b)) < 1e-12)
let l = cholesky(a)
print(max(abs(l @ l.T - a)) < 1e-12)
print(max(abs(trisolve(l, l @ b) - b)) < 1e-12)
print(max(abs(inv(a) @ a - [[1.0, 0.0], [0.0, 1.0]])) < 1e-12)
print(abs(det(a) - 11) < 1e-12)
let (w, v) = eigh(a)
print(max(abs(a @ v - v * w)) < 1e-12, w[0] < w[1])
