struct P { x: f64 }
extern fn f(p: P) -> (int, int)
extern fn g(a: f64[n], s: str, k: i32) -> f64[n]
export fn h(t: (int, int)) -> f64 { return 1.0 }
export fn k(x: f64[n, m]) -> f64[m] { return x[0] }
