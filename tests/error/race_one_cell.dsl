# All threads write one element
kernel right(y: out f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i == 0 { y[0] = 1 }
}
kernel wrong(y: out f64[n]) {
    let i = block.x * blockdim.x + thread.x
    y[0] = i
}
var y = zeros(f64, 10)
launch right[2, 32](y)
launch wrong[2, 32](y)
print(y)
