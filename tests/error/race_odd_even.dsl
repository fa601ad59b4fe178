# Sorting by neighbours: phases that do not alternate
kernel right(a: inout f64[n], phase: int) {
    let i = 2 * (block.x * blockdim.x + thread.x) + phase
    if i + 1 < n {
        let x = a[i]
        let y = a[i + 1]
        a[i] = min(x, y)
        a[i + 1] = max(x, y)
    }
}
kernel wrong(a: inout f64[n], phase: int) {
    let i = block.x * blockdim.x + thread.x + phase
    if i + 1 < n {
        let x = a[i]
        let y = a[i + 1]
        a[i] = min(x, y)
        a[i + 1] = max(x, y)
    }
}
var a = [f64((k * 37) % 60) for k in 0:60]
launch right[1, 32](a, 0)
launch right[1, 32](a, 1)
launch wrong[2, 32](a, 0)
print(a)
