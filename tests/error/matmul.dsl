let A = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
let v = [1.0, 2.0]
print(A @ v, v @ A, A @ A, A @ 2, 3 @ v, A @ [[[1.0]]], [true] @ v, dot(A, A), A.T @ A)
fn f(A: f64[n, m], B: f64[n, m]) -> f64[n, n] { return A @ B }
fn g(A: f64[n, m], x: f64[m + 1]) -> f64[n] { return A @ x }
fn h(A: f64[b, n, m], B: f64[b, n, m], C: f64[a, b, m, n], x: f64[m]) -> f64[b, n, n] { return A @ C + x @ A + A @ B }
let stacks = zeros(f64, 3, 2, 2) @ zeros(f64, 4, 2, 2)
let short: u16[2, 3] = [[1, 2, 3], [4, 5, 6]]
print(short[0] @ [[[u16(1), 2]]])
