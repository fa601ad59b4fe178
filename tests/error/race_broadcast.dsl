# One thread writes, the others read at once
kernel right(y: out f64[n], x: f64[n]) {
    shared first: f64[1]
    let i = block.x * blockdim.x + thread.x
    if thread.x == 0 { first[0] = x[i] }
    barrier
    y[i] = x[i] - first[0]
}
kernel wrong(y: out f64[n], x: f64[n]) {
    shared first: f64[1]
    let i = block.x * blockdim.x + thread.x
    if thread.x == 0 { first[0] = x[i] }
    y[i] = x[i] - first[0]
}
let x = [f64(k) for k in 0:64]
var y = zeros(f64, 64)
launch right[2, 32](y, x)
launch wrong[2, 32](y, x)
print(y)
