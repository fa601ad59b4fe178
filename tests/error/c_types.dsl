struct P { x: f64, tag: str }
extern fn f(p: P, q: (int, f64[n])) -> (int, int)
extern fn g(a: f64[n], s: str, k: i32) -> P
export fn h(t: (int, P)) -> f64 { return 1.0 }
export fn k(x: f64[n, m]) -> f64[m] { return x[0] }
export fn tuples(x: (int, int)[n]) -> int = n
