let x = [1.0, 2.0, 3.0, 4.0]
fn f(x: f64[n]) -> f64[n] { return reshape(x, n + 1) }
print(reshape(x, 2, 3), reshape(x, 2, 2), reshape(x, (4, 1)), reshape(x, -1, 0), reshape(x, -2), reshape(x, 5))
