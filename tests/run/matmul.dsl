let a = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
let v = [1.0, -1.0]
print(a @ v, a.T @ a, [1.0, 0.0, 1.0] @ a, v @ v)
print(dot(a, v))
let b: f32[2, 2] = [[1.0, 2.0], [3.0, 4.0]]
print(b @ b)
fn gram(x: f64[n, m]) -> f64[m, m] = x.T @ x
print(gram(a))
