# Threads that take every 32nd element have different numbers of them.
kernel right(y: inout f64[n]) {
    shared s: f64[32]
    for first in 0:n:32 {
        let i = first + thread.x
        s[thread.x] = if i < n { y[i] } else { 0.0 }
        barrier
        if i < n { y[i] = s[31 - thread.x] }
        barrier
    }
}
kernel wrong(y: inout f64[n]) {
    shared s: f64[32]
    for i in thread.x:n:32 {
        s[thread.x] = y[i]
        barrier
        y[i] = s[0]
        barrier
    }
}
var y = zeros(f64, 40)
launch right[1, 32](y)
launch wrong[1, 32](y)
