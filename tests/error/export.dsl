export fn f(x: T) -> T = x
export fn g(x: f64[n]) -> f64 = sum(x)
export fn twice(f: fn(f64) -> f64, x: f64) -> f64 = f(f(x))
export fn any_rank(x: f64[..]) -> f64 = sum(x)
