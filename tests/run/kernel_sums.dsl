# Reductions inside kernels follow the same tree as outside
kernel matmul(c: out f64[n, m], a: f64[n, p], b: f64[p, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < n and j < m { c[i, j] = sum(a[i, k] * b[k, j] for k in 0:p) }
}
kernel rows(s: out f64[n], x: f64[n, m]) {
    let i = thread.x
    s[i] = sum(x[i, j] for j)
}
kernel extremes(r: out f64[4], x: f64[n]) {
    if thread.x == 0 { r[0] = min(x[k] for k) }
    if thread.x == 1 { r[1] = max(x[k] * x[k] for k in 0:n) }
    if thread.x == 2 { r[2] = prod(x[k] for k in 0:3) }
    if thread.x == 3 { r[3] = f64(sum(i * j for i in 0:5, j in 0:i)) }
}
let a = [[1.0 / (i + j + 1) for j in 0:37] for i in 0:5]
let b = [[f64(i * j % 7) for j in 0:3] for i in 0:37]
var c = zeros(f64, 5, 3)
launch matmul[(1, 2), (4, 4)](c, a, b)
let d = [sum(a[i, k] * b[k, j] for k in 0:37) for i in 0:5, j in 0:3]
print(c, all(c == d))
let long = [[0.1 * (i + 1) for j in 0:5000] for i in 0:2]
var s = zeros(f64, 2)
launch rows[1, 2](s, long)
print(s, s[0] == sum(long[0]), s[1] == sum(long[1]))
var r = zeros(f64, 4)
launch extremes[1, 4](r, [3.0, -4.0, 2.0, 1.0])
print(r)
