# The last thread reads beyond the tile
kernel right(y: out f64[n], x: f64[n]) {
    shared s: f64[33]
    let t = thread.x
    s[t] = x[t]
    if t == 0 { s[32] = 0 }
    barrier
    y[t] = s[t + 1]
}
kernel wrong(y: out f64[n], x: f64[n]) {
    shared s: f64[32]
    let t = thread.x
    s[t] = x[t]
    barrier
    y[t] = s[t + 1]
}
let x = [f64(k) for k in 0:32]
var y = zeros(f64, 32)
launch right[1, 32](y, x)
launch wrong[1, 32](y, x)
print(y)
