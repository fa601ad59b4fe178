fn gen(f: fn(T) -> f64) -> f64 { return 1.0 }
fn lost(x: f64) -> Q[3] { return [x, x, x] }
print(gen(fn(x) => 1.0), lost(2.0))
