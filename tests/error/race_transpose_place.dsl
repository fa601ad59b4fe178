# A transposition in place: both threads of a pair do it
kernel right(a: inout f64[n, n]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < j and j < n {
        let x = a[i, j]
        a[i, j] = a[j, i]
        a[j, i] = x
    }
}
kernel wrong(a: inout f64[n, n]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < n and j < n {
        let x = a[i, j]
        a[i, j] = a[j, i]
        a[j, i] = x
    }
}
var a = [[f64(p * 10 + q) for q in 0:10] for p in 0:10]
launch right[(2, 2), (8, 8)](a)
launch wrong[(2, 2), (8, 8)](a)
print(a)
