# A ring whose last element reads the first
kernel right(b: out f64[n], a: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { b[i] = a[(i + 1) % n] }
}
kernel wrong(a: inout f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { a[i] = a[(i + 1) % n] }
}
var a = [f64(k) for k in 0:60]
var b = zeros(f64, 60)
launch right[2, 32](b, a)
launch wrong[2, 32](a)
print(a, b)
