# A stencil that writes the array it reads
kernel right(v: out f64[n, m], u: f64[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i > 0 and i < n - 1 and j > 0 and j < m - 1 {
        v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
    }
}
kernel wrong(u: inout f64[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i > 0 and i < n - 1 and j > 0 and j < m - 1 {
        u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
    }
}
var u = [[f64(p * q) for q in 0:12] for p in 0:10]
var v = u
launch right[(2, 2), (8, 8)](v, u)
launch wrong[(2, 2), (8, 8)](u)
print(u, v)
