fn log_it(x: f64) -> f64 {
    print(x)
    return x
}
fn through(x: f64) -> f64 { return log_it(x) + 1.0 }
fn fine(x: f64) -> f64 { return x^2 }
kernel k(y: out f64[n]) { y[thread.x] = through(1.0) + fine(2.0) }
var y = zeros(f64, 4)
parallel for i in 0:4 { y[i] = log_it(1.0) }
launch k[1, 4](y)
