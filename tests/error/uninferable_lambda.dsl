fn map(f: fn(T) -> U, x: T[n]) -> U[n] = [f(x[i]) for i in 0:n]
fn wrong(x: f64) -> f64 { return x }
let x = [1.0, 2.0]
print(map(fn(v) => v.x, x), map(fn(v) => undefined(v), x), map(wrong, [1, 2]), map(wrong, [true]))
print(map(fn(v: int) => v, x), map(fn(v) => [v, v], x), map(print, x), map(fn(v) => print(v), x))
