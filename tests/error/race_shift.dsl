# In place, each element from its neighbour
kernel right(b: out f64[n], a: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n - 1 { b[i] = a[i + 1] }
}
kernel wrong(a: inout f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n - 1 { a[i] = a[i + 1] }
}
var a = [f64(k) for k in 0:200]
var b = zeros(f64, 200)
launch right[4, 64](b, a)
launch wrong[4, 64](a)
print(a, b)
