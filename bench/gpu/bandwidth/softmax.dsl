# Softmax of each of many rows
const rows = 65536
const cols = 1024
const reps = 20

fn soft(x: f32[n, m]) -> f32[n, m] {
    let top = [max(x[i, j] for j in 0:m) for i in 0:n]
    let e = [exp(x[i, j] - top[i]) for i in 0:n, j in 0:m]
    let total = sum(e, axis=1)
    return [e[i, j] / total[i] for i in 0:n, j in 0:m]
}

var x = soft([f32((i * cols + j) * 7919 % 10007) / f32(10007) for i in 0:rows, j in 0:cols])
let start = time()
for r in 0:reps { x = soft(3 * x) }
let seconds = (time() - start) / reps
print("check", sum(f64(x) * f64(x)))
print("time", seconds)
print("bytes", 8 * rows * cols)
