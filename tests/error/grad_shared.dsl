kernel mean(y: out f64[m], x: f64[n]) {
    shared s: f64[4]
    s[thread.x] = x[block.x * 4 + thread.x]
    barrier
    if thread.x == 0 { y[block.x] = s[0] + s[1] + s[2] + s[3] }
}
fn total(x: f64[n]) -> f64 {
    var y = zeros(f64, n // 4)
    launch mean[n // 4, 4](y, x)
    return sum(y^2)
}
print(grad(total)([1.0, 2.0, 3.0, 4.0]))
