fn apply(f: fn(f64) -> f64, x: f64) -> f64 { return f(x) }
print(apply(fn(a, b) => a + b, 1.0), apply(atan2, 1.0), apply(3, 1.0), apply(fn() => 1.0, 2.0))
print(reduce(fn(a) => a, 0, [1, 2]), scan(fn(a, b) => a > b, [1, 2]))
