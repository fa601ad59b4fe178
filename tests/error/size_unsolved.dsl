fn f(x: f64[n*n]) -> f64 { return x[0] }
fn g(x: f64[n + m]) -> f64 { return x[0] }
fn h(x: f64[2*n + 1]) -> f64[n] { return x[0:n] }
extern fn k(x: f64[2*n])
print(h([1.0, 2.0]), h(zeros(f64, 5)))
