# The guard that is there, and the one that is missing, in the names of the kernel; after two errors of one array the rest is counted
kernel shift(y: out f64[ny, nx], u: f64[ny, nx]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i >= 0 and i < ny and j < nx { y[i, j] = u[i - 1, j] + u[i, j + 1] }
}

kernel tiles(y: out f64[n], x: f64[n]) {
    shared tile: f64[16]
    let i = block.x * blockdim.x + thread.x
    let r = thread.x + 1
    if i < n { tile[r] = x[i] }
    barrier
    if i + 1 < n { y[i] = tile[r] }
    if i > 1 { y[i] = tile[r - 1] } else { y[i] = tile[r] - tile[r - 2 + 1] }
    if i > 3 { y[i] = tile[r] }
}

var y = zeros(f64, 8, 8)
launch shift[(1, 1), (8, 8)](y, ones(f64, 8, 8))
print(y)
var z = zeros(f64, 32)
launch tiles[2, 16](z, ones(f64, 32))
print(z)
