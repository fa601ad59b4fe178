fn f(x, y: f64) = x + y
fn g(x: out f64[n]) { x[0] = 1 }
kernel k(x: inout f64[n], y) { x[0] = 1 }
fn h(x: f64 y: f64) = x
int x = 3
