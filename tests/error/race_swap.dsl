# Both ends of a pair swap it
kernel right(a: inout f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n // 2 {
        let x = a[i]
        a[i] = a[n - 1 - i]
        a[n - 1 - i] = x
    }
}
kernel wrong(a: inout f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        let x = a[i]
        a[i] = a[n - 1 - i]
        a[n - 1 - i] = x
    }
}
var a = [f64(k) for k in 0:60]
launch right[2, 32](a)
launch wrong[2, 32](a)
print(a)
