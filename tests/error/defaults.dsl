const eps = 1e-6
fn by_name(x: f64, tolerance: f64 = eps) -> f64 = x * tolerance
fn first(x: f64 = 1.0, y: f64) -> f64 = x * y
kernel fill(a: out f64[n], value: f64 = 1.0) { a[thread.x] = value }
let g = fn(x: f64 = 2.0) => x
