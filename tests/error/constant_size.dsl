const n = 4
fn total(x: f64[n], y: f64[m]) -> f64 = sum(x) + sum(y)
print(total([1.0, 2.0], [1.0]), total([1.0, 2.0, 3.0, 4.0], [1.0]))
