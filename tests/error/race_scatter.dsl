# Forces added to both ends of a spring
kernel right(f: inout f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n - 1 {
        let d = x[i + 1] - x[i]
        atomic f[i] += d
        atomic f[i + 1] += -d
    }
}
kernel wrong(f: inout f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n - 1 {
        let d = x[i + 1] - x[i]
        f[i] += d
        f[i + 1] += -d
    }
}
let x = [f64(k * k) for k in 0:60]
var f = zeros(f64, 60)
launch right[2, 32](f, x)
launch wrong[2, 32](f, x)
print(f)
