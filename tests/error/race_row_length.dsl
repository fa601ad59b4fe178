# Rows that overlap in a flat array
kernel right(y: out f64[n], m: int) {
    let r = block.y * blockdim.y + thread.y
    let c = block.x * blockdim.x + thread.x
    if c < m and r * m + c < n { y[r * m + c] = r }
}
kernel wrong(y: out f64[n], m: int) {
    let r = block.y * blockdim.y + thread.y
    let c = block.x * blockdim.x + thread.x
    if c <= m and r * m + c < n { y[r * m + c] = r }
}
var y = zeros(f64, 100)
launch right[(2, 2), (8, 8)](y, 10)
launch wrong[(2, 2), (8, 8)](y, 10)
print(y)
