kernel step(y: out f64[n]) { y[thread.x] = 1.0 }
fn f(x: f64) -> f64 { return x }
var y = zeros(f64, 4)
step(y)
launch f[1, 4](y)
launch stp[1, 4](y)
launch y[1, 4](y)
