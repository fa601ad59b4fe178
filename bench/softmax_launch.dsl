# Softmax of each of many rows, as it is written for a GPU: a block for a row, whose threads go along it by strides and
# combine what they have in shared memory
const rows = 2000
const cols = 1000
const threads = 128
const reps = 5

kernel soft_rows(y: out f64[n, m], x: f64[n, m]) {
    shared s: f64[threads]
    let t = thread.x
    let i = block.x
    var top = -inf
    for j in t:m:threads { top = max(top, x[i, j]) }
    s[t] = top
    barrier
    var half = threads // 2
    while half > 0 {
        if t < half { s[t] = max(s[t], s[t + half]) }
        barrier
        half = half // 2
    }
    top = s[0]
    barrier
    var total = 0.0
    for j in t:m:threads { total += exp(x[i, j] - top) }
    s[t] = total
    barrier
    half = threads // 2
    while half > 0 {
        if t < half { s[t] += s[t + half] }
        barrier
        half = half // 2
    }
    for j in t:m:threads { y[i, j] = exp(x[i, j] - top) / s[0] }
}
fn soft(x: f64[n, m]) -> f64[n, m] {
    var y = zeros(f64, n, m)
    launch soft_rows[n, threads](y, x)
    return y
}

var x = soft([f64((i * cols + j) * 7919 % 10007) / 10007.0 for i in 0:rows, j in 0:cols])
let start = time()
for r in 0:reps { x = soft(3.0 * x) }
let seconds = (time() - start) / reps
print("check", sum(x * x))
print("time", seconds)
