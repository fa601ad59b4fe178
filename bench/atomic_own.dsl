# Float sums into an element of each thread's own, marked atomic: they cost what plain ones do.
const n = 10000000
const reps = 20

kernel axpy(y: inout f64[n], x: f64[n], a: f64) {
    let i = block.x * blockdim.x + thread.x
    if i < n { atomic y[i] += a * x[i] }
}

var x = [f64(i * 7919 % 10007) / 10007.0 for i in 0:n]
var y = zeros(f64, n)
launch axpy[ceildiv(n, 256), 256](y, x, 1.0)
let start = time()
for r in 0:reps { launch axpy[ceildiv(n, 256), 256](y, x, 0.1 * r) }
let seconds = (time() - start) / reps
print("check", sum(y))
print("time", seconds)
