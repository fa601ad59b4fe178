# Three launches over the same elements, of different blocks, that hand arrays on: as one loop they pass over memory once.
const n = 10000000
const reps = 20

kernel scale(y: out f64[n], x: f64[n], a: f64) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = a * x[i] }
}
kernel square(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i >= n { return }
    y[i] = x[i] * x[i] + 1.0
}
kernel add(y: inout f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] += x[i] }
}

fn step(s0: f64[n], x: f64[n], a: f64) -> f64[n] {
    var s = s0
    var y = zeros(f64, n)
    var z = zeros(f64, n)
    launch scale[ceildiv(n, 256), 256](y, x, a)
    launch square[ceildiv(n, 128), 128](z, y)
    launch add[ceildiv(n, 256), 256](s, z)
    return s
}

let x = [f64(i * 7919 % 10007) / 10007.0 for i in 0:n]
var s = step(zeros(f64, n), x, 1.0)
let start = time()
for r in 0:reps { s = step(s, x, 0.1 * r) }
let seconds = (time() - start) / reps
print("check", sum(s))
print("time", seconds)
