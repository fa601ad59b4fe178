# Reductions begin in several places
let k = arange(100)
let start = 10
fn from(x: int[n], first: int) -> int = reduce(fn(p, q) => p + q, first, x)
print(reduce(fn(p, q) => p + q, start, k), reduce(fn(p, q) => (p.0 + q.0, p.1 * q.1), (0.0, 2.0), (f64(v), 1.0) for v in k))
print(reduce(max, 50, k), reduce(fn(p, q) => p * q, 0, k), reduce(fn(p, q) => p + q, 10, k[:10]), from(k, 10))
