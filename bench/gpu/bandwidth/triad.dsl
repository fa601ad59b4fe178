# a = b + s*c, as in STREAM
const n = 2^26
const reps = 20

let b = [f64(i * 7919 % 10007) / 10007.0 for i in 0:n]
let c = [1.0 - f64(i * 7919 % 10007) / 10007.0 for i in 0:n]
var a = b + 2.0 * c
let start = time()
for r in 0:reps { a = b + (3.0 + r) * c }
let seconds = (time() - start) / reps
print("check", sum(a))
print("time", seconds)
print("bytes", 24 * n)
