# A race for some values of an argument: a warning
kernel right(b: out f64[n], a: f64[n], d: int) {
    let i = block.x * blockdim.x + thread.x
    if i >= d and i < n { b[i] = a[i - d] }
}
kernel wrong(a: inout f64[n], d: int) {
    let i = block.x * blockdim.x + thread.x
    if i >= d and i < n { a[i] = a[i - d] }
}
export fn shifted(x: f64[n], d: int) -> f64[n] {
    var a = x
    var b = x
    if d < 0 { return a }
    launch right[ceildiv(n, 64), 64](b, a, d)
    launch wrong[ceildiv(n, 64), 64](a, d)
    return a + b
}
