# An iteration that reads beyond the end
fn right(x: f64[n]) -> f64[n] {
    var y = x
    parallel for i in 0:n - 1 { y[i] = x[i + 1] }
    return y
}
fn wrong(x: f64[n]) -> f64[n] {
    var y = x
    parallel for i in 0:n { y[i] = x[i + 1] }
    return y
}
let x = [f64(k) for k in 0:10]
print(right(x))
print(wrong(x))
