# Places where a mask holds: as indices that are read, and that are written
var y = [3.0, 5.0, 9.0, -1.0, 7.0]
print(y)
y[nonzero(y < 6.0)] = y[nonzero(y < 6.0)] * 2.0
print(y)
y[nonzero(y > 100.0)] = 1.0
var m = zeros(f64, 3, 4)
m[nonzero([true, false, true])] = 1.0
m[:, nonzero([false, true, false, true])] = 5.0
print(m)
fn big(x: f64[n], t: f64) -> f64[found] = x[nonzero(x > t)]
print(sum(big(y, 6.0)), big(big(y, 1.0), 9.0), len(big(y, 1e9)))
for v in big(y, 6.0) { print(v) }
let s = sum(v for v in big(y, 6.0))
print(s, [v * 2.0 for v in big(y, 6.0)])
let xs = [3.0, 5.0, 9.0, -1.0]
print(nonzero(xs > 4.0), xs[nonzero(xs > 4.0)], xs[nonzero(xs < -9.0)], len(nonzero(xs > 0.0)))
print(arange(0, 10, 3), arange(10, 0, -3), arange(0, -1, 1), logspace(0, 3, 4), isnan(nan), nan == nan)
var w = xs
w[nonzero(w > 4.0)] = 0.0
print(w)
let z: f64 = nan
print(z)
