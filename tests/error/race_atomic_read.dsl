# An atomic sum that is read before all have added
kernel right(y: out f64[n], x: f64[n]) {
    shared sum: f64[1]
    if thread.x == 0 { sum[0] = 0 }
    barrier
    atomic sum[0] += x[thread.x]
    barrier
    y[thread.x] = x[thread.x] / sum[0]
}
kernel wrong(y: out f64[n], x: f64[n]) {
    shared sum: f64[1]
    if thread.x == 0 { sum[0] = 0 }
    barrier
    atomic sum[0] += x[thread.x]
    y[thread.x] = x[thread.x] / sum[0]
}
let x = [f64(k) for k in 0:32]
var y = zeros(f64, 32)
launch right[1, 32](y, x)
launch wrong[1, 32](y, x)
print(y)
