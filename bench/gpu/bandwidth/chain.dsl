# Five elementwise operations, in one pass over memory
const n = 2^26
const reps = 20

fn chain(x: f64[n]) -> f64[n] = sqrt(abs(x * 1.5 - 2.0)) + 0.25

var x = chain([f64(i * 7919 % 10007) / 10007.0 for i in 0:n])
let start = time()
for r in 0:reps { x = chain(x) }
let seconds = (time() - start) / reps
print("check", sum(x))
print("time", seconds)
print("bytes", 16 * n)
