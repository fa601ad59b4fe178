# A size that is an expression of a var, in a function whose parameter has a size called n: two different sizes.
kernel add(y: inout f64[slots], x: f64[n], k: int) {
    let t = block.x * blockdim.x + thread.x
    if t < n { atomic y[k] += x[t] }
}
fn f(x: f64[n], m: int) -> f64 {
    var k = 1
    var total = 0.0
    for r in 0:m {
        var lower = zeros(f64, k + 1)
        launch add[1, 8](lower, x, k)
        total += lower[k] + len(lower)
        k += 1
    }
    return total
}
fn g(lo: f64[hi], m: int) -> int {
    var k = m
    k += hi
    return len([lo[0] for i in k - 2:2 * k])
}
print(f(ones(f64, 8), 3), g(ones(f64, 5), 3))
fn rows(x: f64[n], m: int) -> f64 {
    var k = m
    k += n
    let y = [x * f64(i) for i in k - 2:2 * k]
    return sum(y) + size(y, 0)
}
print(rows(ones(f64, 5), 3))
