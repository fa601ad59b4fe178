fn slow(x: f64, n: int) -> f64 = if n == 0 { x } else { slow(x, n - 1) * x }
print(grad(slow)(2.0, 3))
