fn norm(x: f64[n]) -> f64 { return sqrt(sum(x^2)) }
fn norm(x: f64[n, m]) -> f64 { return sqrt(sum(x^2)) }
fn norm(y: f64[k]) -> f64 { return 0.0 }
print(norm([1.0]), norm([[1.0]]), norm(2.0), norm([true]), norm([1.0], 2))
