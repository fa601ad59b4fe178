fn f(x: f64[n]) -> f64 {
    var y = zeros(f64, n)
    parallel for i in 0:n { y[i] = sum(x[i:]) }
    return sum(y^2)
}
print(grad(f)([1.0, 2.0, 3.0]))
