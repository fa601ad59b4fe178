kernel a(y: inout f64[n]) {
    shared t: f64[64]
    let i = block.x * blockdim.x + thread.x
    t[thread.x] = 1.0
    if i < n { barrier }
    y[i] = t[0]
}
kernel b(y: inout f64[n], stop: int) {
    let i = thread.x
    if i >= n { return }
    barrier
    y[i] = 1.0
}
kernel c(y: inout f64[n], idx: int[n]) {
    for k in 0:idx[thread.x] { barrier }
    var j = 0
    if thread.x > 3 { j = 1 }
    while j < 4 {
        barrier
        j += 1
    }
}
kernel d(y: inout f64[n]) {
    for k in 0:10 {
        if y[thread.x] > 1.0 { break }
        barrier
    }
}
kernel e(y: inout f64[n]) {
    for k in 0:10 {
        barrier
        if y[thread.x] > 1.0 { continue }
        y[0] = 1.0
    }
    let v = if thread.y == 0 { 1 } else { 2 }
    if v == 1 { barrier }
}
