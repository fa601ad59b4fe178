# Tridiagonal systems, one to a thread: arrays of a thread's own, whose elements lie beside each other for neighbouring threads
const n = 13
kernel thomas(x: inout f64[n, m], lower: f64[n, m], diagonal: f64[n, m], upper: f64[n, m], right: f64[n, m]) {
    let s = block.x * blockdim.x + thread.x
    if s < m {
        var c = zeros(f64, n)
        var d = zeros(f64, n)
        c[0] = upper[0, s] / diagonal[0, s]
        d[0] = right[0, s] / diagonal[0, s]
        for i in 1:n {
            let w = diagonal[i, s] - lower[i, s] * c[i - 1]
            c[i] = upper[i, s] / w
            d[i] = (right[i, s] - lower[i, s] * d[i - 1]) / w
        }
        x[n - 1, s] = d[n - 1]
        for k in 1:n {
            let i = n - 1 - k
            x[i, s] = d[i] - c[i] * x[i + 1, s]
        }
    }
}
## Rows apart, f32, every other element of the thread's array stays zero
kernel along(y: inout f32[m, 20], a: f32[m, 20]) {
    let s = block.x * blockdim.x + thread.x
    if s < m {
        var c = zeros(f32, 40)
        c[0] = 1
        for i in 1:20 {
            c[2 * i] = a[s, i] / (c[2 * i - 2] + c[2 * i - 1] + 2)
        }
        for i in 0:20 { y[s, i] = c[2 * i] + 10 * c[2 * i + 1] }
    }
}
fn residual(m: int) -> f64 {
    let lower = -1 - rand(1, n, m)
    let upper = rand(2, n, m) - 1
    let diagonal = 4 + rand(3, n, m)
    let right = rand(4, n, m)
    var x = zeros(f64, n, m)
    launch thomas[ceildiv(m, 32), 32](x, lower, diagonal, upper, right)
    let back = [diagonal[i, s] * x[i, s] + (if i > 0 { lower[i, s] * x[max(i - 1, 0), s] } else { 0.0 }) +
        (if i < n - 1 { upper[i, s] * x[min(i + 1, n - 1), s] } else { 0.0 }) for i in 0:n, s in 0:m]
    return max(abs(back - right))
}
fn fixed(m: int) {
    let a = f32(rand(7, m, 20))
    var y = zeros(f32, m, 20)
    launch along[ceildiv(m, 16), 16](y, a)
    print(y[m - 1], sum(f64(y)))
}
for m in [1, 5, 16, 63, 64, 70, 200] { print(m, residual(m) < 1e-12) }
fixed(1)
fixed(37)
fixed(150)
