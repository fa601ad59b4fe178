# Five elementwise operations on ten million numbers, in one pass over memory
const n = 10000000
const reps = 10

fn chain(x: f64[n]) -> f64[n] = sqrt(abs(x * 1.5 - 2.0)) + 0.25

var x = [f64(i * 7919 % 10007) / 10007.0 for i in 0:n]
x = chain(x)
let start = time()
for r in 0:reps { x = chain(x) }
let seconds = (time() - start) / reps
print("check", sum(x))
print("time", seconds)
