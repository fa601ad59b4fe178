# The place of the least of ten million numbers
const n = 10000000
const reps = 10

let x = [f64(i * 7919 % 10007) / 10007.0 - f64(i) * 1e-9 for i in 0:n]
var found = argmin(x)
let start = time()
for r in 0:reps { found += argmin(x) }
let seconds = (time() - start) / reps
print("check", found)
print("time", seconds)
