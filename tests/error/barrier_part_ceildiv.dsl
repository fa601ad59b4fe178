# The number of turns is made of the thread's own index; a loop without a barrier may have such bounds.
kernel right(y: inout f64[n], m: int) {
    shared s: f64[4]
    let t = thread.x
    for j in 0:ceildiv(m - t, 2) { y[t] += 1 }
    s[t] = y[t]
    barrier
    y[t] += s[3 - t]
}
kernel wrong(y: inout f64[n], m: int) {
    let t = thread.x
    for j in 0:ceildiv(m - t, 2) {
        barrier
        y[t] += 1
    }
}
var y = zeros(f64, 4)
launch right[1, 4](y, 4)
launch wrong[1, 4](y, 4)
