# An array of one thread
kernel right(y: out f64[n]) {
    let i = block.x * blockdim.x + thread.x
    var a: f64[4]
    for k in 0:4 { a[k] = i }
    if i < n { y[i] = a[3] }
}
kernel wrong(y: out f64[n]) {
    let i = block.x * blockdim.x + thread.x
    var a: f64[4]
    for k in 1:5 { a[k] = i }
    if i < n { y[i] = a[3] }
}
var y = zeros(f64, 10)
launch right[1, 32](y)
launch wrong[1, 32](y)
print(y)
