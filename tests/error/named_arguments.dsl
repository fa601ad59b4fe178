fn f(width: f64, height: f64) -> f64 { return width * height }
print(f(width=1.0, hieght=2.0), f(width=1.0, width=2.0), f(1.0, width=2.0), sum([1.0], axes=0), f(height=1.0))
