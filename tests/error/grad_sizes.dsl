fn f(x: f64[n]) -> f64 {
    var s = 1.0
    for i in 0:2 { s *= sum(x[i:]) }
    return s
}
print(grad(f)([1.0, 2.0, 3.0]))
