# An array is taken apart by names as a tuple is: elements of a vector, rows of a matrix
let x = linspace(0.0, 1.0, 20)
let (slope, offset) = polyfit(x, 2.0 * x + 1.0, 1)
print(f"{slope:.6f} {offset:.6f}")
let (a, b, c) = [1, 2, 3]
let (first, second) = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
print(a, b, c, first, second)
fn both(v: f64[n]) -> f64 { let (p, q) = v; return p * p + 3.0 * q }
print(both([2.0, 1.0]), grad(both)([2.0, 1.0]))
var (u, w) = both([1.0, 2.0]) * [1.0, 2.0]
u += w
(u, w) = [u + 1.0, w]
print(u, w)
let (re, im) = [true, false]
print(re, im)
