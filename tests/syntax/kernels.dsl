## Sums of blocks.
##
## Second paragraph.
kernel sums(total: out f64[b], x: f64[n], w: in f64[n], bins: inout int[m], k: int) {
    shared s: f64[128]
    shared t: f32[16, 2 * 8]
    var private: f64[4]
    s[thread.x] = x[block.x * blockdim.x + thread.x]
    barrier
    atomic bins[0] += 1
    atomic bins[0] min= 2
    atomic bins[0] max= k
    atomic bins[0] xor= k
    atomic bins[k] = 3
    let old = atomic bins[0] |= k
    var before: int = atomic bins[1] = old
    let (a, b) = atomic bins[0] -= 1
    atomic bins[k] = 3 if k + 1 == old
    let was: int = atomic bins[k] = if k > 1 { 2 } else { 3 } if 1
    var now = atomic bins[k]
    if thread.x > 0 { return }
    total[block.x] = s[0]
}
launch sums[1, 128](t, x, w, bins, 3)
launch sums[ceildiv(n, 128), (128)](t, x, w, bins, 3)
launch sums[(gx, gy), (16, 8, 1)](t, x, w, bins, 3)
launch sums[grid, (16,)]()
