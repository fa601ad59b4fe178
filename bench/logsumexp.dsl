# log(sum(exp(x))) of two million numbers without overflow
const n = 2000000
const reps = 5

var x = [1000.0 * (f64(i * 7919 % 10007) / 10007.0) for i in 0:n]
var s = logsumexp(x)
let start = time()
for r in 0:reps {
    x[r] = s
    s = logsumexp(x)
}
let seconds = (time() - start) / reps
print("check", s)
print("time", seconds)
