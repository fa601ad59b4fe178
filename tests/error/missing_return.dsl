fn f(x: f64) -> f64 {
    if x > 0 { return x }
}
fn g(x: f64) -> f64 {
    while x > 0 { return x }
}
fn h(x: f64) -> f64 {
    if x > 0 { return x } else { return -x }
}
fn k() -> int { while true { } }
fn l() -> int { while true { break } }
fn m() -> f64 { }
