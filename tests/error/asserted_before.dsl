# RUN: run interp
# What is read inside its array because of an assert is not read before that stops the program.
fn shifted(x: f64[n], y: f64[m], k: int, turns: int) -> f64 {
    var s = sum(x)
    for t in 0:turns {
        s += 1
        assert k >= 0 and k < m, f"k is {k}"
        s += y[k] * s
    }
    return s
}
print(shifted([1.0, 2.0], [3.0, 4.0, 5.0], 1000000000000, 0))
print(shifted([1.0, 2.0], [3.0, 4.0, 5.0], 1000000000000, 2))
