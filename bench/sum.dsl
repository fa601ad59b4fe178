# The sum of ten million numbers
const n = 10000000
const reps = 20

var x = [f64(i * 7919 % 10007) / 10007.0 for i in 0:n]
var s = sum(x)
let start = time()
for r in 0:reps {
    x[r] = 1e-6 * s
    s = sum(x)
}
let seconds = (time() - start) / reps
print("check", s)
print("time", seconds)
