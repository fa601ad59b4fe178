# RUN: run interp
# sizes that differ when the program runs: both places
fn product(k: int) -> f64 { return sum(ones(f64, 3, k) @ ones(f64, k // 2 * 2, 4)) }
print(product(2))
print(product(3))
