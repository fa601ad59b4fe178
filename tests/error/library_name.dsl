# RUN: lib
export fn error(x: f64) -> f64 = x
