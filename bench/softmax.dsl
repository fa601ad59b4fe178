# Softmax of each of many rows
const rows = 2000
const cols = 1000
const reps = 5

fn soft(x: f64[n, m]) -> f64[n, m] {
    let top = [max(x[i, j] for j in 0:m) for i in 0:n]
    let e = [exp(x[i, j] - top[i]) for i in 0:n, j in 0:m]
    let total = sum(e, axis=1)
    return [e[i, j] / total[i] for i in 0:n, j in 0:m]
}

var x = soft([f64((i * cols + j) * 7919 % 10007) / 10007.0 for i in 0:rows, j in 0:cols])
let start = time()
for r in 0:reps { x = soft(3.0 * x) }
let seconds = (time() - start) / reps
print("check", sum(x * x))
print("time", seconds)
