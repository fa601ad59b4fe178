# RUN: lib
export fn half(x: f64) -> f64 = x / 2
export fn half(x: f32) -> f32 = x / 2
