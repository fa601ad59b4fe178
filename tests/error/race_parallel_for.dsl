# Iterations that read what their neighbours write
fn right(x: f64[n]) -> f64[n] {
    var y = x
    parallel for i in 1:n { y[i] = x[i] - x[i - 1] }
    return y
}
fn wrong(x: f64[n]) -> f64[n] {
    var y = x
    parallel for i in 1:n { y[i] = y[i] - y[i - 1] }
    return y
}
let x = [f64(k * k) for k in 0:20]
print(right(x))
print(wrong(x))
