kernel axpy(y: inout f64[n], x: f64[n], a: f64) {
    let i = block.x * blockdim.x + thread.x
    if i >= n { return }
    y[i] += a * x[i]
}
kernel grid2(a: out int[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < n and j < m { a[i, j] = 100 * i + j }
}
kernel where_am_i(a: out int[8, 8]) {
    let k = ((block.x * griddim.y + block.y) * blockdim.x + thread.x) * blockdim.y + thread.y
    a[k // 8, k % 8] = 1000 * block.x + 100 * block.y + 10 * thread.x + thread.y
}
let x = [f64(i) for i in 0:10]
var y = ones(f64, 10)
launch axpy[ceildiv(10, 4), 4](y, x, 2.0)
print(y)
var a = zeros(int, 3, 5)
launch grid2[(2, 2), (3, 2)](a)
print(a)
var w = zeros(int, 8, 8)
launch where_am_i[(2, 4), (4, 2)](w)
print(w)
launch axpy[1, 10](y, y, 1.0)
print(y)
