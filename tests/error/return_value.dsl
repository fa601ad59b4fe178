fn f(x: f64) { return x }
fn g(x: f64) -> int { return x }
fn h(x: f64) -> f64 { return }
kernel k(y: out f64[n]) { return 3 }
return 4
fn m(x: f64[n]) -> f64[n] { return x[1:] }
fn p() -> (f64, int) { return (1, 2.5) }
parallel for i in 0:3 { return }
spawn { return }
