# A scan whose next turn reads what the last one is still writing
kernel right(y: out f64[n], x: f64[n]) {
    shared s: f64[64]
    let t = thread.x
    s[t] = x[t]
    barrier
    var d = 1
    while d < 64 {
        let v = if t >= d { s[t - d] } else { 0.0 }
        barrier
        s[t] += v
        barrier
        d *= 2
    }
    y[t] = s[t]
}
kernel wrong(y: out f64[n], x: f64[n]) {
    shared s: f64[64]
    let t = thread.x
    s[t] = x[t]
    barrier
    var d = 1
    while d < 64 {
        let v = if t >= d { s[t - d] } else { 0.0 }
        barrier
        s[t] += v
        d *= 2
    }
    y[t] = s[t]
}
let x = [f64(k) for k in 0:64]
var y = zeros(f64, 64)
launch right[1, 64](y, x)
print(y)
launch wrong[1, 64](y, x)
print(y)
