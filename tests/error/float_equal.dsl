# RUN: check -Wfloat-equal
fn settled(x: f64) -> bool {
    if sin(x) == 0.0 { return true }
    return sin(x) == cos(x) or x / 3 != x * 0.1
}
print(settled(1.0))
