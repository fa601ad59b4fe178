# Two elements for each thread, not two apart
kernel right(y: out f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if 2 * i + 1 < n {
        y[2 * i] = i
        y[2 * i + 1] = -i
    }
}
kernel wrong(y: out f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i + 1 < n {
        y[i] = i
        y[i + 1] = -i
    }
}
var y = zeros(f64, 60)
launch right[2, 32](y)
launch wrong[2, 32](y)
print(y)
