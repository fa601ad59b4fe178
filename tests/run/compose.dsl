# What functions as arguments give tells the types of those that take it, in whatever order they stand.
fn compose(f: fn(B) -> C, g: fn(A) -> B, x: A) -> C = f(g(x))
fn chain(f: fn(C) -> D, g: fn(B) -> C, h: fn(A) -> B, x: A) -> D = f(g(h(x)))
fn after(g: fn(A) -> B, f: fn(B) -> C, x: A[n]) -> C[n] = [f(g(x[i])) for i in 0:n]
print(compose(fn(x: int) => x + 1, fn(x: f64) => int(x), 2.7), compose(sqrt, fn(k) => k * k, 3))
print(chain(fn(p) => p.0 + p.1, fn(v) => (v, v * 0.5), fn(k) => f64(k) / 4, 6))
print(after(fn(k) => f64(k) / 2, fn(v) => (v, v > 0.5), [1, 2])[1].1)
