# A private array of many axes that lives across a barrier, for each thread of a block of three axes
kernel k(y: inout f64[n, m, l]) {
    var a: f64[2, 1, 2, 1, 2, 1, 1, 2]
    let i = block.x * blockdim.x + thread.x
    let j = block.y * blockdim.y + thread.y
    let h = block.z * blockdim.z + thread.z
    shared s: f64[2, 2, 2]
    for q in 0:2 { a[1, 0, q, 0, 1, 0, 0, (q + i) % 2] = f64(i + 10 * j + 100 * h + 1000 * q) }
    s[thread.z, thread.y, thread.x] = f64(i)
    barrier
    if h < n and j < m and i < l {
        var t = s[thread.z, thread.y, 1 - thread.x]
        for q in 0:2 { t += a[1, 0, q, 0, 1, 0, 0, (j + q) % 2] }
        y[h, j, i] = t
    }
}
var y = zeros(f64, 4, 4, 4)
launch k[(2, 2, 2), (2, 2, 2)](y)
print(sum(y), y[3, 2])
