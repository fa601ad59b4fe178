# Sums of structs and tuples: of one type, of floats, with the same sizes; numbers that fit each part
struct P { w: f64[4, 3], b: f32[n] }
struct Q { id: int, x: f64 }
struct R { s: str, q: Q, x: f64 }
struct V { x: f64[n] }
let p = P(zeros(f64, 4, 3), [f32(1), 2])
let q = Q(1, 2.0)
let r = R("a", q, 1.0)
let a = 0.5
print(p + q)
print(q + q)
print(2 * (q.x, r))
print(-r)
print(p * a, p / a)
print(1im * p)
print(p + 1.0)
print(p * p)
print(1.0 / p)
print(true * p, [1.0, 2.0] * p, "a" + p)
print(V([1.0, 2.0]) + V([1.0]))
print((1, 2) * 2)
print((1.0, 2.0) + (1.0, 2.0, 3.0))
var v = V([1.0, 2.0])
v += V([1.0])
v //= 2
v -= 1.0
var t = q
t *= 2.0
var x = 1.0
x -= v
