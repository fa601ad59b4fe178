# A race for all sizes and launch shapes
kernel right(b: out f64[n], a: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i > 0 and i < n { b[i] = a[i - 1] }
}
kernel wrong(a: inout f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i > 0 and i < n { a[i] = a[i - 1] }
}
export fn shifted(x: f64[n], blocks: int, threads: int) -> f64[n] {
    var a = x
    var b = x
    launch right[blocks, threads](b, a)
    launch wrong[blocks, threads](a)
    return a + b
}
