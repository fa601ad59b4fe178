# Rows and columns confused
kernel right(b: out f64[n, m], a: f64[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < n and j < m { b[i, j] = a[i, j] }
}
kernel wrong(b: out f64[n, m], a: f64[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < n and j < m { b[i, j] = a[j, i] }
}
let a = [f64(p + q) for p in 0:5, q in 0:9]
var b = zeros(f64, 5, 9)
launch right[(2, 1), (8, 8)](b, a)
launch wrong[(2, 1), (8, 8)](b, a)
print(b)
