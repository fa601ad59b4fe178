# RUN: run interp
fn last(x: f64[n], k: int) -> f64[n] {
    var r = x
    r = ones(f64, k)
    return r
}
print(last([1.0, 2.0, 3.0], 3))
print(last([1.0, 2.0, 3.0], 1))
