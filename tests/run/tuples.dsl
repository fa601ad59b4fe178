let t = (1, 2.5, true)
print(t.0, t.1, t[2])
var (a, b) = (1, 2)
(a, b) = (b, a)
print(a, b)
fn minmax(x: f64[n]) -> (f64, f64) = (min(x), max(x))
let (lo, hi) = minmax([3.0, 1.0, 2.0])
print(lo, hi)
let nested = ((1, 2), [3, 4])
print(nested.0.1, nested.1)
var x = [1.0, 2.0]
var k = 0
(x[0], k) = (9.0, 4)
print(x, k)
let pairs = [(i, f64(i) / 2) for i in 0:3]
print(pairs[2].0, pairs[2].1)
