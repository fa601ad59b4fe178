print([i * i for i in 0:5])
print([i + 10 * j for i in 0:2, j in 0:3])
print([i for i in 10:0:-3], [f64(i) / 2 for i in 1:8:2])
let a = [[1.0, 2.0], [3.0, 4.0]]
let b = [[0.0, 1.0], [1.0, 0.0]]
print([sum(a[i, k] * b[k, j] for k) for i, j])
print([a[j, i] for i, j])
print([[i, j] for i in 0:2, j in 0:2])
print([a[i] * 2 for i in 0:2])
fn second(x: f64[n]) -> f64[n - 2] = [x[i] - 2 * x[i + 1] + x[i + 2] for i in 0:n - 2]
print(second([1.0, 4.0, 9.0, 16.0]))
let rows = [cumsum(a[i]) for i in 0:2]
print(rows)
print([if i % 2 == 0 { i } else { -i } for i in 0:5])
