# A ring without its modulo
kernel right(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = x[(i + n // 2) % n] }
}
kernel wrong(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = x[i + n // 2] }
}
let x = [f64(k) for k in 0:60]
var y = zeros(f64, 60)
launch right[2, 32](y, x)
launch wrong[2, 32](y, x)
print(y)
