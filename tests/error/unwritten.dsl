# Elements of shared memory that are read and that no thread writes; others that are written, or of which nothing is known
kernel shift(y: out f64[n], x: f64[n]) {
    shared s: f64[65]
    let i = block.x * blockdim.x + thread.x
    s[thread.x] = if i < n { x[i] } else { 0.0 }
    barrier
    if i < n { y[i] = s[thread.x + 1] + s[thread.x] }
}
kernel tile(y: out f64[n, m], x: f64[n, m]) {
    shared t: f64[18, 18]
    for a in 0:2 {
        for b in 0:2 {
            let r = thread.y + 16 * a
            let c = thread.x + 16 * b
            if r < 17 and c < 17 { t[r, c] = x[max(0, min(block.y * 16 + r - 1, n - 1)), max(0, min(block.x * 16 + c - 1, m - 1))] }
        }
    }
    barrier
    let i = block.y * 16 + thread.y
    let j = block.x * 16 + thread.x
    if i < n and j < m { y[i, j] = t[thread.y, thread.x] + t[thread.y + 2, thread.x + 2] }
}
kernel whole(y: out f64[n], x: f64[n], k: int[n]) {
    shared s: f64[66]
    shared u: f64[64]
    let i = block.x * blockdim.x + thread.x
    s[thread.x + 1] = if i < n { x[i] } else { 0.0 }
    if thread.x < 2 { s[65 * thread.x] = 0 }
    if i < n { u[k[i] % 64] = 1 }
    barrier
    if i < n { y[i] = s[thread.x] + s[thread.x + 2] + u[63 - thread.x] }
}
fn all(x: f64[n]) -> f64[n] {
    var y = x
    launch shift[ceildiv(n, 64), 64](y, x)
    launch shift[ceildiv(n, 64), 64](y, x)
    launch whole[ceildiv(n, 64), 64](y, x, [i for i in 0:n])
    return y
}
print(sum(all(zeros(f64, 64))) * 0)
var z = zeros(f64, 32, 32)
launch tile[(2, 2), (16, 16)](z, ones(f64, 32, 32))
