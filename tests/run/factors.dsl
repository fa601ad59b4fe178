# Factors of a matrix: what is asked of them, by each backend; their derivatives beside differences.
let a = [[0.0, 2.0, 1.0], [4.0, 1.0, 0.5], [1.0, 3.0, 7.0]]
let b = [1.0, 2.0, 3.0]
let c = [[1.0, 2.0], [0.0, 1.0], [5.0, -1.0]]
let one = eye(3)
fn close(x: f64[n, m], y: f64[n, m]) -> bool = max(abs(x - y)) < 1e-12
fn near(x: f64[n], y: f64[n]) -> bool = max(abs(x - y)) < 1e-12

print("solve", near(a @ solve(a, b), b), close(a @ solve(a, c), c), near(a.T @ solve(a.T, b), b))
print("of f32", max(abs(f64(solve(f32(a), f32(c))) - solve(a, c))) < 1e-5, abs(det(f32(a)) + 44) < 1e-4)
print("inv, det", close(inv(a) @ a, one), abs(det(a) + 44) < 1e-12, abs(det(a[[1, 0, 2], :]) - 44) < 1e-12)
print("of nothing", det(zeros(f64, 0, 0)), shape(solve(zeros(f64, 0, 0), zeros(f64, 0, 2))), shape(solve(zeros(f64, 2, 2), zeros(f64, 2, 0))))
print("slogdet", slogdet(a).0, abs(slogdet(a).1 - log(44.0)) < 1e-12, slogdet([[1.0, 2.0], [2.0, 4.0]]), slogdet(f32([[0.0, 1.0], [1.0, 0.0]])))
print("logdet", abs(logdet(500 * eye(200)) - 200 * log(500.0)) < 1e-9, logdet(a), logdet([[1.0, 2.0], [2.0, 4.0]]), abs(logdet(-f32(a)) - log(f32(44.0))) < 1e-5)
let z = c128(a, a.T)
print("complex", abs(slogdet(z).0 * exp(slogdet(z).1) - det(z)) < 1e-11, abs(exp(logdet(z)) - det(z)) < 1e-11, slogdet(zeros(c128, 2, 2)).1)

# Rows of the other triangle are not looked at.
let full = a + 5 * one
let low = [if i >= j { full[i, j] } else { 0.0 } for i in 0:3, j in 0:3]
let up = [if i <= j { full[i, j] } else { 0.0 } for i in 0:3, j in 0:3]
let unit_low = [if i > j { full[i, j] } else { one[i, j] } for i in 0:3, j in 0:3]
let unit_up = [if i < j { full[i, j] } else { one[i, j] } for i in 0:3, j in 0:3]
print("triangles", near(low @ trisolve(full, b), b), near(up @ trisolve(full, b, upper=true), b), near(low.T @ trisolve(full, b, transposed=true), b), near(up.T @ trisolve(full, b, transposed=true, upper=true), b))
print("with ones", near(unit_low @ trisolve(full, b, unit=true), b), close(unit_up @ trisolve(full, c, upper=true, unit=true), c), close(unit_low.T @ trisolve(full, c, unit=true, transposed=true), c), near(unit_up.T @ trisolve(full, b, upper=true, transposed=true, unit=true), b))
let wide = [1.0 / (1 + abs(i - j)) + (if i == j { 30.0 } else { 0.1 * i }) for i in 0:30, j in 0:30]
let row = linspace(-1.0, 1.0, 30)
print("more than few", near(wide @ solve(wide, row), row), max(abs(wide.T @ inv(wide).T - eye(30))) < 1e-12, max(abs(f64(trisolve(f32(wide), f32(row), upper=true)) - trisolve(wide, row, upper=true))) < 1e-5)
let spd = a @ a.T + one
print("cho_solve", near(spd @ cho_solve(cholesky(spd), b), b), close(spd @ cho_solve(cholesky(spd), c), c))

# ---- lu
fn off(a: f64[m, n]) -> f64 {
    let (p, l, u) = lu(a)
    return max(abs([a[p[i], j] for i in 0:m, j in 0:n] - l @ u))
}
print("lu", lu(a).0, off(a) < 1e-12, off(a[0:2]) < 1e-12, off(a[:, 0:2]) < 1e-12, off(vstack(a, 3 * a + 1)) < 1e-12, shape(lu(a[:, 0:1]).1), shape(lu(a[0:1]).2))
print(lu(a[[1, 2, 0], :]).0, lu([[1, 2], [4, 3]]), lu(f32([[2.0, 1.0], [1.0, 1.0]])).2)

# ---- derivatives
fn differences(f: fn(f64[n, m]) -> f64, a: f64[n, m]) -> bool {
    let g = grad(f)(a)
    let h = 1e-5
    let e = [(f([a[i, j] + (if i == k and j == l { h } else { 0.0 }) for i in 0:n, j in 0:m]) - f([a[i, j] - (if i == k and j == l { h } else { 0.0 }) for i in 0:n, j in 0:m])) / (2 * h) for k in 0:n, l in 0:m]
    let d = cos([f64(i + 3 * j) for i in 0:n, j in 0:m])
    let along = jvp(f)(a, d).1
    return max(abs(g - e)) < 1e-7 * (1 + max(abs(e))) and abs(along - sum(d * g)) < 1e-10 * (1 + abs(along))
}
fn weighed(x: f64[n, m]) -> f64 = sum(x^2 * [f64(i + 2 * j + 1) for i in 0:n, j in 0:m])
fn of_lu(a: f64[n, m]) -> f64 {
    let (_p, l, u) = lu(a)
    return weighed(l) + sum(u^3)
}
print("derivatives of lu", differences(of_lu, a), differences(of_lu, a[0:2]), differences(of_lu, a[:, 0:2]), differences(fn(a) => sum(lu(a).2^2), a), differences(fn(a) => sum(lu(a).1^3), a))
print("of determinants", differences(fn(a) => slogdet(a).1, a), differences(fn(a) => logdet(-a)^2, a), differences(fn(a) => det(a) + weighed(inv(a)), a), grad(fn(a) => slogdet(a).0)(a)[0])
print("of solutions", differences(fn(x) => weighed(solve(x, c)), a), differences(fn(x) => weighed(solve(x.T, solve(x, c))), a), differences(fn(y) => weighed(solve(a, y)), c))
print("of triangles", differences(fn(x) => weighed(trisolve(x, c, upper=true)), full), differences(fn(x) => weighed(trisolve(x, c, unit=true, transposed=true)), full), differences(fn(x) => weighed(trisolve(full, x, upper=true, unit=true, transposed=true)), c), differences(fn(x) => weighed(trisolve(x, c, upper=true, transposed=true)), full))
print("of cho_solve", differences(fn(x) => weighed(cho_solve(cholesky(x @ x.T + one), c)), a), differences(fn(x) => weighed(cholesky(x @ x.T + one)), a))
fn twice(x: f64[n, n], b: f64[n]) -> f64 = sum(solve(x, b)^2) + slogdet(x).1 + sum(lu(x).2^2)
let at = [2.0, 3.0, 4.0]
let curve = hessian(fn(d) => twice(a + diag(d), b))(at)
let slope = grad(fn(d: f64[3]) => twice(a + diag(d), b))
print("second", max(abs(curve - [(slope(at + 1e-5 * one[j])[i] - slope(at - 1e-5 * one[j])[i]) / 2e-5 for i in 0:3, j in 0:3])) < 1e-7 * max(abs(curve)))

# ---- loops: factors come before those whose matrix they do not change, which may turn not once
fn steps(a: f64[n, n], x0: f64[n], t: int) -> f64[n] {
    var x = x0
    for k in 0:t { x = solve(a, x) }
    return x
}
fn vary(a: f64[n, n], x0: f64[n], t: int) -> f64[n] {
    var x = x0
    for k in 0:t { x = solve(a + x[0] * eye(n), x) + logdet(a.T @ a) }
    return x
}
fn rooted(a: f64[n, n], x0: f64[n], t: int) -> f64[n] {
    var x = x0
    for k in 0:t { x = cho_solve(cholesky(a), x) }
    return x
}
print("by roots", near(spd @ (spd @ rooted(spd, b, 2)), b), rooted(-spd, b, 0), differences(fn(x) => sum(rooted(x @ x.T + one, b, 3)^2), a))
print("loops", near(a @ (a @ (a @ steps(a, b, 3))), b), steps(zeros(f64, 2, 2), [1.0, 2.0], 0), inv([[if det(a) < 0 { 2.0 } else { 0.0 }]]))
print("their derivatives", differences(fn(x) => sum(steps(x, b, 4)^2), full), differences(fn(x) => sum(vary(x, b, 3)^2), full))
