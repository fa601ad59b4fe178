# Reductions begin in several places
let k = arange(100)
let start = 10
fn from(x: int[n], first: int) -> int = reduce(fn(p, q) => p + q, first, x)
print(reduce(fn(p, q) => p + q, start, k), reduce(fn(p, q) => (p.0 + q.0, p.1 * q.1), (0.0, 2.0), (f64(v), 1.0) for v in k))
print(reduce(max, 50, k), reduce(fn(p, q) => p * q, 0, k), reduce(fn(p, q) => p + q, 10, k[:10]), from(k, 10))
print(reduce(fn(p, q) => p + q, 10, v for v in k[:10] if v > 5), reduce(fn(p, q) => p + q, 0, v for v in k[:10] if v > 5))
print(reduce(fn(p, q) => 2 * p + q, 0, v for v in k[:10] if v > 5), reduce(fn(p, q) => p + q, 10, if v > 5 { v } else { 0 } for v in k[:10]))
