fn rows(x: f32[n, m]) = [sum(row) for row in x]
fn custom(x: f64[n]) -> f64 = reduce(fn(a, b) => sqrt(a * a + b * b), 0.0, x)
let n = 300000
let x = [f32(uniform(3, i)) for i in 0:n]
let a = reshape(x, 2, 150000)
print(sum(x), rows(a), sum(a), sum(a, axis=1), sum(a, axis=0)[3], x @ x, a @ x[0:150000], x[0:2] @ a[:, 0:3])
print(custom([uniform(5, i) for i in 0:140000]), custom([uniform(5, i) for i in 0:1000]), custom([uniform(5, i) for i in 0:0]))
let b = [uniform(9, i) for i in 0:200000]
print(x @ x, reshape(b, 2, 100000) @ b[0:100000], b[0:50000] @ reshape(b, 50000, 4))
fn runs(n: int) -> f64 = sum(uniform(1, i) for i in 0:n)
print(runs(1), runs(0), runs(1024), runs(1025), runs(140000))
