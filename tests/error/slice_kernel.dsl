# RUN: run interp
# the same in a kernel
kernel above(y: out f64[n], x: f64[n, n], k: int) {
    let i = thread.x
    if i == n - 1 { y[i] = sum(2 * x[i, i + k:n]) }
}
fn go(k: int) -> f64 {
    var y = zeros(f64, 4)
    launch above[1, 4](y, ones(f64, 4, 4), k)
    return sum(y)
}
print(go(1))
print(go(2))
