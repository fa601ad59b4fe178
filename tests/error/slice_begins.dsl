# RUN: run interp
fn rest(x: f64[n, m], k: int) -> f64 {
    var s = 0.0
    for i in 0:n { s += sum(x[i, i + k:]) }
    return s
}
let x = ones(f64, 4, 6)
print(rest(x, 3))
print(rest(x, 4))
