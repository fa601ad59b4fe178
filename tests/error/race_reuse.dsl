# A tile is used again while others still read it
kernel right(y: out f64[n], x: f64[n]) {
    shared s: f64[32]
    let t = thread.x
    s[t] = x[t]
    barrier
    let a = s[31 - t]
    barrier
    s[t] = 2 * a
    barrier
    y[t] = s[31 - t]
}
kernel wrong(y: out f64[n], x: f64[n]) {
    shared s: f64[32]
    let t = thread.x
    s[t] = x[t]
    barrier
    let a = s[31 - t]
    s[t] = 2 * a
    barrier
    y[t] = s[31 - t]
}
let x = [f64(k) for k in 0:32]
var y = zeros(f64, 32)
launch right[1, 32](y, x)
launch wrong[1, 32](y, x)
print(y)
