# RUN: run interp
fn added(x: f64[n], y: f64[n]) -> f64[n] = x + y
fn go(k: int, j: int) -> f64 = sum(added(zeros(f64, k), ones(f64, j)))
print(go(2, 2))
print(go(2, 3))
