fn less(a: f64, b: f64) -> bool { return a < b }
fn widen(a: f64, b: f64) -> f64 { return a + b }
let x = f32([1.0, 2.0])
print(reduce(less, 0.0, [1.0, 2.0]), scan(less, [1.0]), reduce(widen, 0.0, x))
