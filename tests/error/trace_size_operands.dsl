# RUN: run interp
fn go(k: int, j: int) -> f64 = sum(where(zeros(f64, k) == 0, ones(f64, k), ones(f64, j)))
print(go(2, 2))
print(go(2, 3))
