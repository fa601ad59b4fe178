fn told(x: f64, n: int) -> f64 {
    print(x)
    return if n == 0 { x } else { told(x * x, n - 1) }
}
print(grad(told)(2.0, 3))
