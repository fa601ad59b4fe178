fn add(x: f64[n], y: f64[n]) -> f64[n] { return x + y }
fn diff(x: f64[n]) -> f64[n - 1] { return x[1:] - x }
fn outer(x: f64[n], y: f64[m]) -> f64[n, m] { return [x[i] * y[j] for j, i] }
let a = [1.0, 2.0, 3.0]
print(a + [1.0, 2.0], add(a, a[1:]), where(a > 0, a, a[0:2]))
let b: f64[4] = a
var c = a
c = [1.0]
c[0:2] = a
c += [1.0, 2.0]
let k = len(a) + 1
let d = zeros(f64, k)
print(a * d, b)
