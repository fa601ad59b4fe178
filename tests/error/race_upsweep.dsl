# A tree with strides that grow: the wrong partner
kernel right(y: out f64[n], x: f64[n]) {
    shared s: f64[64]
    let t = thread.x
    s[t] = x[t]
    barrier
    for p in 1:7 {
        let w = 1 << p
        if t % w == w - 1 { s[t] += s[t - w // 2] }
        barrier
    }
    y[t] = s[t]
}
kernel wrong(y: out f64[n], x: f64[n]) {
    shared s: f64[64]
    let t = thread.x
    s[t] = x[t]
    barrier
    for p in 1:7 {
        let w = 1 << p
        if t % w == w - 1 and t >= w { s[t] += s[t - w] }
        barrier
    }
    y[t] = s[t]
}
let x = [f64(k) for k in 0:64]
var y = zeros(f64, 64)
launch right[1, 64](y, x)
launch wrong[1, 64](y, x)
print(y)
