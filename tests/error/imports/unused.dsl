fn other(x: f64) -> f64 = x
