fn scale(x: T[n], k: T) -> T[n] = k * x
fn total(x: T[n]) -> T { return scale(x, x[0])[0] }
print(total([1.0, 2.0]), total([true, false]))
fn first(x: T) -> f64 { return x.pos }
print(first(2))
