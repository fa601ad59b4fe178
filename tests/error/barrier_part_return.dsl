# A tree sum: the threads that have nothing to add must wait with the others.
kernel right(y: out f64[1]) {
    shared s: f64[32]
    let t = thread.x
    s[t] = 1.0
    barrier
    var half = 16
    while half > 0 {
        if t < half { s[t] += s[t + half] }
        barrier
        half = half // 2
    }
    if t == 0 { y[0] = s[0] }
}
kernel wrong(y: out f64[1]) {
    shared s: f64[32]
    let t = thread.x
    s[t] = 1.0
    barrier
    var half = 16
    while half > 0 {
        if t >= half { return }
        s[t] += s[t + half]
        barrier
        half = half // 2
    }
    if t == 0 { y[0] = s[0] }
}
var y = zeros(f64, 1)
launch right[1, 32](y)
launch wrong[1, 32](y)
