# RUN: run interp
fn go(k: int, j: int) -> f64 {
    let a: f64[k] = ones(f64, j)
    return sum(a)
}
print(go(2, 2))
print(go(2, 3))
