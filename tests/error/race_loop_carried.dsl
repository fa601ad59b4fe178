# The barrier at the end of a turn is missing
kernel right(y: out f64[n], x: f64[m, n]) {
    shared s: f64[32]
    let t = thread.x
    var acc = 0.0
    for k in 0:m {
        s[t] = x[k, t]
        barrier
        acc += s[31 - t]
        barrier
    }
    y[t] = acc
}
kernel wrong(y: out f64[n], x: f64[m, n]) {
    shared s: f64[32]
    let t = thread.x
    var acc = 0.0
    for k in 0:m {
        s[t] = x[k, t]
        barrier
        acc += s[31 - t]
    }
    y[t] = acc
}
let x = [f64(p + q) for p in 0:3, q in 0:32]
var y = zeros(f64, 32)
launch right[1, 32](y, x)
launch wrong[1, 32](y, x)
print(y)
