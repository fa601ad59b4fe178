# RUN: lib
export fn half(x: f64) -> f64 = x / 2
let x = 4.0
print(half(x))
