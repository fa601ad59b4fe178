# Atomic updates of elements that each thread has to itself, beside those of elements that threads share.
kernel axpy(y: inout f64[n], x: f64[n], a: f64) {
    let i = block.x * blockdim.x + thread.x
    if i < n { atomic y[i] += a * x[i] }
}
kernel spread(y: inout f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i >= n { return }
    atomic y[i] += x[i]
    if i + 1 < n { atomic y[i + 1] += x[i] * 0.5 }
}
kernel rows(s: inout int[n], top: inout f64[n], a: f64[n, m]) {
    let i = block.x * blockdim.x + thread.x
    if i >= n { return }
    for j in 0:m {
        atomic s[i] += int(a[i, j] * 10)
        atomic top[i] max= a[i, j]
    }
}
kernel per_block(out_: inout int[g], x: int[n]) {
    shared t: int[32]
    t[thread.x] = 0
    barrier
    atomic t[31 - thread.x] += x[block.x * 32 + thread.x]
    atomic out_[block.x] += 1
    barrier
    atomic out_[block.x] += t[thread.x]
}
kernel even(y: inout f32[n]) {
    let i = block.x * blockdim.x + thread.x
    if 2 * i < n { atomic y[2 * i] min= f32(i) - 3.0 }
}

fn run(n: int) -> f64 {
    let x = [sin(f64(i)) for i in 0:n]
    var y = zeros(f64, n)
    for t in 0:3 { launch axpy[ceildiv(n, 64), 64](y, x, 0.1 * (t + 1)) }
    launch spread[ceildiv(n, 64), 64](y, x)
    parallel for i in 0:n { atomic y[n - 1 - i] += 1e-3 * x[i] }
    return sum(y) + y[n // 2]
}
print(run(1), run(63), run(100000))
var s = zeros(int, 5)
var top = zeros(f64, 5)
launch rows[1, 8](s, top, [sin(f64(i * j)) for i in 0:5, j in 0:7])
print(s, top)
var b = zeros(int, 4)
launch per_block[4, 32](b, [i * i % 19 for i in 0:128])
print(b)
var e = zeros(f32, 9)
launch even[2, 4](e)
print(e)
