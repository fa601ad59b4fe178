# A tile smaller than the block
kernel right(y: out f64[n], x: f64[n]) {
    shared s: f64[32]
    let t = thread.x
    s[t] = x[block.x * 32 + t]
    barrier
    y[block.x * 32 + t] = s[31 - t]
}
kernel wrong(y: out f64[n], x: f64[n]) {
    shared s: f64[16]
    let t = thread.x
    s[t % 16] = x[block.x * 32 + t]
    barrier
    y[block.x * 32 + t] = s[15 - t % 16]
}
let x = [f64(k) for k in 0:64]
var y = zeros(f64, 64)
launch right[2, 32](y, x)
launch wrong[2, 32](y, x)
print(y)
