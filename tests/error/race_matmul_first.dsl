# A tiled product: tiles are read before all of them is there
const tile = 4
kernel right(c: out f64[n, n], a: f64[n, n], b: f64[n, n]) {
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
kernel wrong(c: out f64[n, n], a: f64[n, n], b: f64[n, n]) {
    shared sa: f64[tile, tile]
    shared sb: f64[tile, tile]
    let i = block.y * tile + thread.y
    let j = block.x * tile + thread.x
    var acc = 0.0
    for k in 0:n // tile {
        sa[thread.y, thread.x] = a[i, k * tile + thread.x]
        sb[thread.y, thread.x] = b[k * tile + thread.y, j]
        for l in 0:tile { acc += sa[thread.y, l] * sb[l, thread.x] }
        barrier
    }
    c[i, j] = acc
}
let m = [[f64(p + q) for q in 0:8] for p in 0:8]
var c = zeros(f64, 8, 8)
launch right[(2, 2), (tile, tile)](c, m, m)
launch wrong[(2, 2), (tile, tile)](c, m, m)
print(c)
