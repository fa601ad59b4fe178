# One block too many and no guard
kernel right(y: out f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = i }
}
kernel wrong(y: out f64[n]) {
    let i = block.x * blockdim.x + thread.x
    y[i] = i
}
export fn counted(n: int) -> f64[n] {
    var y = zeros(f64, n)
    launch right[n // 64 + 1, 64](y)
    launch wrong[n // 64 + 1, 64](y)
    return y
}
print(sum(counted(200)))
