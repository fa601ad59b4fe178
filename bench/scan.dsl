# Prefix sums of ten million numbers
const n = 10000000
const reps = 10

var x = [f64(i * 7919 % 10007) / 10007.0 for i in 0:n]
var y = cumsum(x)
let start = time()
for r in 0:reps {
    x[r] = 1e-7 * y[n - 1]
    y = cumsum(x)
}
let seconds = (time() - start) / reps
print("check", y[n // 2] + y[n - 1])
print("time", seconds)
