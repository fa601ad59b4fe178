# What is sorted twice, or only added up; what is gathered by an order; their derivatives; transforms there and back
fn thrice(x: f64[n]) -> f64[n] = sort(sort(sort(x)))
fn total(x: f64[n]) -> f64 = sum(sort(x))
fn extremes(x: int[n], y: f64[n]) -> (int, int, int, int) = (max(sort(x)), min(sort(x)), sum(x[argsort(y)]), prod(sort(x)))
fn weighted(x: f64[n]) -> f64 = sum([sort(sort(x))[i] * i for i in 0:n])
let nan = 0.0 / 0.0
let x = [3.0, -0.0, 2.5, nan, 0.0, -1.0, 1.0 / 0.0, 2.5]
let i = [4, -2, 9, 9, 0, 7, -2, 1]
print(thrice(x), extremes(i, x), sum(sort([0 for k in 0:0])))
let y = [0.5, -1.25, 4, 0.5, 3]
print(total(y), weighted(y), max(sort(y)), min(sort(y)))
print(grad(weighted)(y), grad(total)(y), grad(fn(v) => max(sort(v)))(y), grad(fn(v) => sum(thrice(v) * v))(y))
fn back(x: c128[n]) -> c128[n] = ifft(fft(x))
fn real(x: f64[n]) -> f64[n] = irfft(rfft(x), n)
let z = c128([1.0, 2, 0, -3], [0.5, 0, 1, 0])
print([round(v * 1e6) / 1e6 for v in back(z).re], [round(v * 1e6) / 1e6 for v in back(z).im], [round(v * 1e6) / 1e6 for v in real(y)])
print([round(v * 1e6) / 1e6 for v in grad(fn(v) => sum(real(v) * v))(y)])
