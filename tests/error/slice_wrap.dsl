# RUN: run interp
# a first index so large that the last one wraps around
fn total(x: f64[n], i: int) -> f64 = sum(x[i:i + 5])
let x = ones(f64, 8)
print(total(x, 3))
print(total(x, 9223372036854775805))
