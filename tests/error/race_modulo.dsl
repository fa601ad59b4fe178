# Indices that wrap around
kernel right(y: out f64[m], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < m { y[i % m] = x[i] }
}
kernel wrong(y: out f64[m], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i % m] = x[i] }
}
let x = [f64(k) for k in 0:60]
var y = zeros(f64, 32)
launch right[2, 32](y, x)
launch wrong[2, 32](y, x)
print(y)
