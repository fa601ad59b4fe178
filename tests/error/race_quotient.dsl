# Two threads for each element
kernel right(y: out f64[m], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n and i % 2 == 0 { y[i // 2] = x[i] }
}
kernel wrong(y: out f64[m], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i // 2] = x[i] }
}
let x = [f64(k) for k in 0:60]
var y = zeros(f64, 30)
launch right[2, 32](y, x)
launch wrong[2, 32](y, x)
print(y)
