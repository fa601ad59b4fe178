# Each thread looks at its own element; all at the same one would do.
kernel right(y: inout f64[n]) {
    shared s: f64[32]
    let t = thread.x
    s[t] = y[t]
    let go = y[0] > 0.5
    if go { barrier }
    if go { y[t] = s[31 - t] }
}
kernel wrong(y: inout f64[n]) {
    shared s: f64[32]
    let t = thread.x
    s[t] = y[t]
    if y[t] > 0.5 {
        barrier
        y[t] = s[t]
    }
}
var y = [f64(i % 3) for i in 0:32]
launch right[1, 32](y)
launch wrong[1, 32](y)
