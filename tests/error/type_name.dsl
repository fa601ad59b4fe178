fn f64(x: int) -> int { return x }
let int = 3
fn g(bool: f64) -> f64 { return 1.0 }
struct str { x: f64 }
