let f: fn(f64) -> f64 = sin
struct S { g: fn(int) -> int }
fn make() -> fn(f64) -> f64 { return sin }
