# RUN: run interp
# An offset may be anything, even so large that the sum wraps: it is compared before it is added.
fn count(k: int) -> int = int(sum(ones(f64, k)))
kernel shift(y: inout f64[n], x: f64[m], off: int, many: int) {
    let i = block.x * blockdim.x + thread.x
    if i < many { y[i] += x[i + off] }
}
var y = zeros(f64, 50)
launch shift[4, 16](y, ones(f64, 60), count(10), count(50))
launch shift[4, 16](y, ones(f64, 60), -count(3), -count(50))
launch shift[4, 16](y, ones(f64, 60), 2^63 - 1 - count(20), count(50))
