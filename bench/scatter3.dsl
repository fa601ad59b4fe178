# A stencil written as what each element adds to its neighbours; the peer is the serial loop on one thread, and OpenMP atomics on more
const n = 10000000
const reps = 10

kernel spread(y: inout f64[n], x: f64[n], a: f64, b: f64, c: f64) {
    let i = block.x * blockdim.x + thread.x
    if i > 0 and i < n - 1 {
        atomic y[i - 1] += a * x[i]
        atomic y[i] += b * x[i]
        atomic y[i + 1] += c * x[i]
    }
}

let x = [f64(i * 7919 % 10007) / 10007.0 for i in 0:n]
var y = zeros(f64, n)
launch spread[ceildiv(n, 256), 256](y, x, 0.25, 0.5, 0.125)
let start = time()
for r in 0:reps { launch spread[ceildiv(n, 256), 256](y, x, 0.25, 0.5, 0.125) }
let seconds = (time() - start) / reps
print("check", sum(y[i] * (i % 7) for i in 0:n))
print("time", seconds)
