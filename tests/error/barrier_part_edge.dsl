# The last block is not full: its threads beyond the end do not come to the barrier.
kernel right(y: inout f64[n]) {
    shared s: f64[64]
    let i = block.x * 64 + thread.x
    s[thread.x] = if i < n { y[i] } else { 0.0 }
    barrier
    if i < n { y[i] = s[63 - thread.x] }
}
kernel wrong(y: inout f64[n]) {
    shared s: f64[64]
    let i = block.x * 64 + thread.x
    if i < n {
        s[thread.x] = y[i]
        barrier
        y[i] = s[0]
    }
}
var y = zeros(f64, 100)
launch right[2, 64](y)
launch wrong[2, 64](y)
