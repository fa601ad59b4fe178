# A transposed tile without its barrier
kernel right(b: out f64[m, n], a: f64[n, m]) {
    shared t: f64[8, 8]
    let i = block.y * 8 + thread.y
    let j = block.x * 8 + thread.x
    t[thread.y, thread.x] = a[i, j]
    barrier
    b[block.x * 8 + thread.y, block.y * 8 + thread.x] = t[thread.x, thread.y]
}
kernel wrong(b: out f64[m, n], a: f64[n, m]) {
    shared t: f64[8, 8]
    let i = block.y * 8 + thread.y
    let j = block.x * 8 + thread.x
    t[thread.y, thread.x] = a[i, j]
    b[block.x * 8 + thread.y, block.y * 8 + thread.x] = t[thread.x, thread.y]
}
let a = [[f64(p * 16 + q) for q in 0:16] for p in 0:8]
var b = zeros(f64, 16, 8)
launch right[(2, 1), (8, 8)](b, a)
launch wrong[(2, 1), (8, 8)](b, a)
print(b)
