kernel a(y: inout f64[n], idx: int[n], steps: int) {
    shared t: f64[64]
    if block.x == 0 { barrier }
    for k in 0:steps { barrier }
    for k in 0:idx[block.x] { barrier }
    if idx[0] > 3 { return }
    barrier
    var s = 32
    while s > 0 {
        if thread.x < s { t[thread.x] += t[thread.x + s] }
        barrier
        s //= 2
    }
    for k in 0:10 {
        if thread.x == k { break }
    }
    barrier
    if thread.x == 0 { y[0] = t[0] }
    if thread.x > 3 { return }
    y[1] = 1.0
}
