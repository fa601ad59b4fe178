# RUN: run interp
# What a loop asserts is asserted by the derivative, which does not need the loop.
fn a(y: f64[m], at: int[n]) -> f64 {
    var s = 0.0
    for i in 0:n {
        let j = at[i]
        assert j >= 0 and j < m, "outside"
        s += y[j] * y[j]
    }
    return s
}
arg bad: int = 1000
print(grad(fn(y: f64[m]) => a(y, [0, bad]))([1.0, 2.0]))
