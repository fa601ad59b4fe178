# Blocks that overlap by one element
kernel right(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = 2 * x[i] }
}
kernel wrong(y: out f64[n], x: f64[n]) {
    let i = block.x * (blockdim.x - 1) + thread.x
    if i < n { y[i] = 2 * x[i] }
}
let x = [f64(k) for k in 0:100]
var y = zeros(f64, 100)
launch right[4, 32](y, x)
launch wrong[4, 32](y, x)
print(y)
