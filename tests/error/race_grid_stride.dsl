# A loop over the grid that strides by one block
kernel right(y: out f64[n], x: f64[n]) {
    var i = block.x * blockdim.x + thread.x
    while i < n {
        y[i] = x[i]
        i += griddim.x * blockdim.x
    }
}
kernel wrong(y: out f64[n], x: f64[n]) {
    var i = block.x * blockdim.x + thread.x
    while i < n {
        y[i] = x[i]
        i += blockdim.x
    }
}
let x = [f64(k) for k in 0:100]
var y = zeros(f64, 100)
launch right[2, 16](y, x)
launch wrong[2, 16](y, x)
print(y)
