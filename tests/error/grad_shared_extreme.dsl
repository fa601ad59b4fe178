kernel normed(y: out f64[n], x: f64[n]) {
    shared m: f64[1]
    if thread.x == 0 { m[0] = 0 }
    barrier
    atomic m[0] max= x[thread.x]
    barrier
    y[thread.x] = x[thread.x] / m[0]
}
fn total(x: f64[n]) -> f64 {
    var y = zeros(f64, n)
    launch normed[1, n](y, x)
    return sum(y)
}
print(grad(total)([1.0, 2.0]))
