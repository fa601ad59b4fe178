kernel block_sums(total: out f64[b], x: f64[n]) {
    shared s: f64[8]
    let t = thread.x
    let i = block.x * blockdim.x + t
    s[t] = if i < n { x[i] } else { 0.0 }
    barrier
    var half = 4
    while half > 0 {
        if t < half { s[t] += s[t + half] }
        barrier
        half //= 2
    }
    if t == 0 { total[block.x] = s[0] }
}
kernel reverse_block(x: inout int[n]) {
    shared s: int[4]
    let t = thread.x
    let i = block.x * 4 + t
    s[t] = x[i]
    barrier
    x[i] = s[3 - t]
}
const tile = 2
kernel matmul(c: out f64[n, n], a: f64[n, n], b: f64[n, n]) {
    shared sa: f64[tile, tile]
    shared sb: f64[tile, tile]
    let i = block.y * tile + thread.y
    let j = block.x * tile + thread.x
    var acc = 0.0
    for k in 0:n // tile {
        sa[thread.y, thread.x] = a[i, k * tile + thread.x]
        sb[thread.y, thread.x] = b[k * tile + thread.y, j]
        barrier
        for l in 0:tile { acc += sa[thread.y, l] * sb[l, thread.x] }
        barrier
    }
    c[i, j] = acc
}
let x = [f64(i) for i in 0:20]
var total = zeros(f64, 3)
launch block_sums[3, 8](total, x)
print(total, sum(total))
var r = [i for i in 0:12]
launch reverse_block[3, 4](r)
print(r)
let m = [[f64(i + j) for j in 0:4] for i in 0:4]
var c = zeros(f64, 4, 4)
launch matmul[(2, 2), (tile, tile)](c, m, m)
print(c, max(abs(c - m @ m)))
