# Prefix sums of many numbers
const n = 2^26
const reps = 20

let x = [f64(i * 7919 % 10007) / 10007.0 for i in 0:n]
var y = cumsum(x)
let start = time()
for r in 0:reps { y = cumsum(1e-8 * y) }
let seconds = (time() - start) / reps
print("check", y[n // 2] + y[n - 1])
print("time", seconds)
print("bytes", 16 * n)
