# A relaxation that forgets its colours
kernel right(u: inout f64[n, n], colour: int) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i > 0 and i < n - 1 and j > 0 and j < n - 1 and (i + j) % 2 == colour {
        u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
    }
}
kernel wrong(u: inout f64[n, n], colour: int) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i > 0 and i < n - 1 and j > 0 and j < n - 1 and i % 2 == colour {
        u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
    }
}
var u = [f64(p * q) for p in 0:12, q in 0:12]
launch right[(2, 2), (8, 8)](u, 0)
launch wrong[(2, 2), (8, 8)](u, 0)
print(u)
