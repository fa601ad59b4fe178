# Two buffers, and both turns use the same one
kernel right(y: out f64[n], x: f64[n]) {
    shared s: f64[2, 32]
    let t = thread.x
    s[0, t] = x[t]
    barrier
    for k in 0:5 {
        let from = k % 2
        s[1 - from, t] = if t > 0 { s[from, t - 1] } else { 0.0 }
        barrier
    }
    y[t] = s[1, t]
}
kernel wrong(y: out f64[n], x: f64[n]) {
    shared s: f64[2, 32]
    let t = thread.x
    s[0, t] = x[t]
    barrier
    for k in 0:5 {
        let from = k % 2
        s[from, t] = if t > 0 { s[from, t - 1] } else { 0.0 }
        barrier
    }
    y[t] = s[1, t]
}
let x = [f64(k) for k in 0:32]
var y = zeros(f64, 32)
launch right[1, 32](y, x)
print(y)
launch wrong[1, 32](y, x)
print(y)
