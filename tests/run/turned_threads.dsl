# Launches that give rows of arrays to x: on a GPU neighbours in a warp are the threads along y then (codegen/axes.c)
kernel rows(y: out f32[r, c], x: f32[r, c]) {
    let i = block.x * blockdim.x + thread.x
    let j = block.y * blockdim.y + thread.y
    if i < r and j < c { y[i, j] = x[i, j] * 2 + f32(thread.x) - f32(thread.y) }
}
kernel steps(a: inout f64[n, n], m: f64[n, n], t: int) {
    let i = block.x * blockdim.x + thread.x
    let j = block.y * blockdim.y + thread.y
    if i < n - 1 - t and j < n - t { a[i + 1 + t, j + t] -= m[i + 1 + t, t] * a[t, j + t] }
}
kernel cube(y: out int[a, b, c], x: int[c, b, a]) {
    let (i, j, k) = (block.x * blockdim.x + thread.x, block.y * blockdim.y + thread.y, block.z * blockdim.z + thread.z)
    if i < a and j < b and k < c { y[i, j, k] = x[k, j, i] + 100 * thread.x + 10 * thread.y + thread.z }
}
kernel middle(y: inout int[a, b], x: int[a, b]) {
    let (i, j) = (block.x * blockdim.x + thread.x, block.y * blockdim.y + thread.y)
    if i < a and j < b { y[i, j] = x[i, j] + y[i, j] + block.z }
}
let x = [f32((i * 7 + j * 3) % 19) for i in 0:50, j in 0:70]
var y = zeros(f32, 50, 70)
launch rows[(3, 9), (20, 8)](y, x)
print(sum(y), sum(y[i, j] * f32(i % 5) for i in 0:50, j in 0:70), sum(y[i, j] * f32(j % 7) for i in 0:50, j in 0:70))
var a = [f64((i * 5 + j * j) % 17) for i in 0:40, j in 0:40]
let m = [f64((i + 3 * j) % 5) / 4 for i in 0:40, j in 0:40]
for t in 0:6 { launch steps[(5, 2), (8, 32)](a, m, t) }
print(sum(a), sum(a[i, j] * (i % 7 + j % 3) for i in 0:40, j in 0:40))
var c = zeros(int, 6, 20, 9)
launch cube[(3, 2, 3), (2, 16, 3)](c, [k * 400 + j * 20 + i for k in 0:9, j in 0:20, i in 0:6])
print(sum(c), sum(c[i, j, k] * (i + 2 * j + 3 * k) for i in 0:6, j in 0:20, k in 0:9))
var d = zeros(int, 30, 33)
launch middle[(8, 3), (4, 16)](d, [i * j for i in 0:30, j in 0:33])
print(sum(d), sum(d[i, j] * (i % 3) for i in 0:30, j in 0:33))
