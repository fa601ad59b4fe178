# RUN: run interp
fn total(x: f64[n], a: int, b: int) -> f64 = sum(2 * x[a:b])
var x = linspace(0.0, 1.0, 6)
print(total(x, 3, 3))
x[len(x):] = 1
print(total(x, 4, 2))
