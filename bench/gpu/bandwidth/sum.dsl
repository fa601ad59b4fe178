# The sum of many numbers
const n = 2^27
const reps = 20

let x = [f64(i * 7919 % 10007) / 10007.0 for i in 0:n]
var s = sum(x)
let start = time()
for r in 0:reps { s = s + sum(x * f64(r)) }
let seconds = (time() - start) / reps
print("check", s)
print("time", seconds)
print("bytes", 8 * n)
