kernel k(y: out f64[n]) { y[thread.x] = 1.0 }
fn f(y: f64[n]) -> f64[n] { return y }
var y = zeros(f64, 4)
launch k[0, 4](y)
launch k[1, 2048](y)
launch k[1, (64, 32)](y)
launch k[1, -1](y)
launch k[1.5, 4](y)
launch k[y, 4](y)
launch k[1, (1024, 1)](y)
launch f[1, 4](y)
launch kk[1, 4](y)
