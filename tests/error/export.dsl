export fn f(x: T) -> T = x
export fn g(x: f64[n]) -> f64 = sum(x)
