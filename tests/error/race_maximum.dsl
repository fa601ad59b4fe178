# The greatest so far: read, compared, written
kernel right(best: inout f64[m], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { atomic best[0] max= x[i] }
}
kernel wrong(best: inout f64[m], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        if x[i] > best[0] { best[0] = x[i] }
    }
}
let x = [f64(k) for k in 0:60]
var best = zeros(f64, 1)
launch right[2, 32](best, x)
launch wrong[2, 32](best, x - 100)
launch wrong[2, 32](best, x + 100)
print(best)
