# Three and four arrays joined, of any type, empty ones; columns
let a = [1, 2]
let e = zeros(int, 0)
print(concat(a, [3], [4, 5]), concat(e, e, a), concat(a, e, [3], e), concat(["x"], ["y"], ["z"]))
let m = [[1.0, 2.0]]
print(vstack(m, 2 * m, 3 * m), vstack(m, m, m, zeros(f64, 0, 2)), hstack(m, m, [[9.0]]), hstack(m, zeros(f64, 1, 0), m, m))
print(column_stack(a, [3, 4]), column_stack([1.0], [2.0], [3.0]), column_stack(e, e, e, e), column_stack(a, a, a, [7, 8]))
fn f(x: f64[n]) -> f64 = sum(concat(x, 2 * x, x^2)^2) + sum(column_stack(x, x^2, x) @ [1.0, 2.0, 3.0])
print(grad(f)([1.0, 2.0]), check_grad(f, [0.5, -1.0, 2.0]) < 1e-9)
# What NumPy's users write: one array of all
let m = [[1, 2], [3, 4]]
print(column_stack([a, a]), concat([a, a]), hstack([a, a]), vstack([a, a]), vstack([m, 10 * m]), hstack([m, 10 * m]), concat([m, m]))
