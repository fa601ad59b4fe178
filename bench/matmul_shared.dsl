# A matrix product with tiles in shared memory, as on a GPU; for `make bench-tune`.
const n = 512
const tile = 16

kernel product(c: out f64[n, m], a: f64[n, k], b: f64[k, m]) {
    shared ta: f64[tile, tile]
    shared tb: f64[tile, tile]
    let row = block.y * tile + thread.y
    let col = block.x * tile + thread.x
    var acc = 0.0
    for t in 0:ceildiv(k, tile) {
        let ka = t * tile + thread.x
        let kb = t * tile + thread.y
        ta[thread.y, thread.x] = if row < n and ka < k { a[row, ka] } else { 0.0 }
        tb[thread.y, thread.x] = if kb < k and col < m { b[kb, col] } else { 0.0 }
        barrier
        for p in 0:tile { acc += ta[thread.y, p] * tb[p, thread.x] }
        barrier
    }
    if row < n and col < m { c[row, col] = acc }
}

let a = [f64((i * 7 + j * 3) % 11) / 3 for i in 0:n, j in 0:n - 7]
let b = [f64((i * 5 + j) % 13) / 7 for i in 0:n - 7, j in 0:n + 5]
var c = zeros(f64, n, n + 5)
let start = time()
for r in 0:3 { launch product[(ceildiv(n + 5, tile), ceildiv(n, tile)), (tile, tile)](c, a, b) }
let seconds = time() - start
print("check", sum(c), c[n // 2, n // 3])
print("time", seconds)
