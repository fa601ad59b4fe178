# Functions change nothing: a call whose result is dropped does nothing, unless it prints or stops the program.
fn double(x: f64[n]) -> f64[n] { return 2 * x }
fn noisy(x: f64) -> f64 {
    print(x)
    return x
}
fn careful(x: f64) -> f64 {
    assert x > 0
    return x
}
fn through(x: f64) -> f64 { return noisy(x) }
fn least(x: f64[n]) -> f64 {
    sort(x)
    double(x)
    noisy(x[0])
    careful(x[0])
    through(x[0])
    return x[0]
}
test "it ends" { double([1.0]) }
bench "speed" { double([1.0]) }
print(least([2.0, 1.0]))
