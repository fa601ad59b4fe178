# RUN: interp run
fn middle(n: int) -> f64 = median(zeros(f64, n))
print(middle(0))
