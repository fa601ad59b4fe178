# A tile turned round, without the barrier between
kernel right(x: inout f64[n]) {
    shared s: f64[64]
    let t = thread.x
    let i = block.x * 64 + t
    s[t] = x[i]
    barrier
    x[i] = s[63 - t]
}
kernel wrong(x: inout f64[n]) {
    shared s: f64[64]
    let t = thread.x
    let i = block.x * 64 + t
    s[t] = x[i]
    x[i] = s[63 - t]
}
var x = [f64(k) for k in 0:128]
launch right[2, 64](x)
launch wrong[2, 64](x)
print(x)
