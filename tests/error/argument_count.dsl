fn add(a: f64, b: f64) -> f64 { return a + b }
let twice = fn(x) => 2*x
print(add(1.0), add(1.0, 2.0, 3.0), twice(1, 2), sqrt(1.0, 2.0), where(true, 1), f32(1, 2), atan2(1.0))
print(zeros(f64), min(), reduce(fn(a, b) => a + b, 0))
