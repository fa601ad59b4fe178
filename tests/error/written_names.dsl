fn scale(x: f64) -> f64 = 2 * x
fn raised(x: f64, k: f64, base: f64 = 1.0) -> f64 = base + x^k
struct S { t: f64[m] }
struct R { name: str }
struct T { r: R, k: int }
fn of(s: S) -> f64 = s.t[-1]
fn made(n: int) -> f64[found] { return zeros(f64, n) }
fn all_of(x: T[n]) -> int = n
let v = [1.0, 2.0]
print(scale(v), raised(v, 2.0))
print(made(3)[-1])
let w = made(4)
print(w[-2], v[0, 1], [R("a")])
let (a, b, c) = v
print(v.T * v)
print(copy(v), sortperm(v), isequal(v, v), sinc(0.0), expm([v, v]), legend("v"), typeof(v))
