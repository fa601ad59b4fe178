# A loop that goes one step too far
kernel right(y: out f64[n], x: f64[n, m]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        var acc = 0.0
        for k in 0:m { acc += x[i, k] }
        y[i] = acc
    }
}
kernel wrong(y: out f64[n], x: f64[n, m]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        var acc = 0.0
        for k in 0:m + 1 { acc += x[i, k] }
        y[i] = acc
    }
}
let x = [f64(p + q) for p in 0:40, q in 0:6]
var y = zeros(f64, 40)
launch right[2, 32](y, x)
launch wrong[2, 32](y, x)
print(y)
