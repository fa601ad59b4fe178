# y = x / norm(x), written for one element: the kernel mentions norm(x) in every thread. Time must grow with n, not its square.
const n = 10000000
const reps = 20

kernel normalise(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = x[i] / norm(x) }
}

var x = [f64(i * 7919 % 10007) / 10007.0 for i in 0:n]
var y = zeros(f64, n)
launch normalise[ceildiv(n, 256), 256](y, x)
let start = time()
for r in 0:reps {
    x[r] = 1e-6 * y[r]
    launch normalise[ceildiv(n, 256), 256](y, x)
}
let seconds = (time() - start) / reps
print("check", sum(y))
print("time", seconds)
