kernel square(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = x[i]^2 }
}
fn total(x: f64[n]) -> f64 {
    var y = zeros(f64, n)
    launch square[1, n](y, x)
    return sum(y)
}
print(grad(total)([1.0, 2.0]))
