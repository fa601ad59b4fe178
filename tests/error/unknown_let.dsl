# A name whose value is wrong is defined all the same: nothing follows from its uses.
let a = undefined + 1
let b = a + 2
print(b * a)
let (p, q) = pair(3)
print(p + q)
let g: f64[rows, cols] = matrix
print(rows * cols, g[0, 0])
var s = a
s += 1
for i in 0:count { print(i + a) }
fn f(x: Real) -> f64 { return x + sqrt(x) }
print(f(1))
