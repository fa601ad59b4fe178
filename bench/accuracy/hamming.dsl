# The problems of Hamming's Numerical Methods for Scientists and Engineers, chapter 3, in Herbie's numbers: of all sizes
# alike, 2^u.  build/dslc accuracy bench/accuracy/hamming.dsl; docs/accuracy.md has the table beside Herbie's.
fn any(seed: int) -> f64[256] = 2.0^(2046.0 * rand(seed, 256) - 1022)
fn signed(seed: int) -> f64[256] = any(seed) * (1 - 2 * f64(rand(seed + 1000, 256) < 0.5))
fn sqrt2(x: f64) -> f64 = sqrt(x + 1) - sqrt(x)
fn cbrt2(x: f64) -> f64 = cbrt(x + 1) - cbrt(x)
fn isqrt2(x: f64) -> f64 = 1/sqrt(x) - 1/sqrt(x + 1)
fn log2n(n: f64) -> f64 = log(n + 1) - log(n)
fn atan2n(n: f64) -> f64 = atan(n + 1) - atan(n)
fn frac2(x: f64) -> f64 = 1/(x + 1) - 1/x
fn frac3(x: f64) -> f64 = 1/(x + 1) - 2/x + 1/(x - 1)
fn expm(x: f64) -> f64 = exp(x) - 1
fn expq2(x: f64) -> f64 = exp(x) / (exp(x) - 1)
fn exp2m(x: f64) -> f64 = exp(x) - 2 + exp(-x)
fn tan2(x: f64, e: f64) -> f64 = tan(x + e) - tan(x)
fn cos1(x: f64) -> f64 = (1 - cos(x)) / x^2
fn tanhf(x: f64) -> f64 = (1 - cos(x)) / sin(x)
fn sqrtexp(x: f64) -> f64 = sqrt((exp(2*x) - 1) / (exp(x) - 1))
fn quadp(a: f64, b: f64, c: f64) -> f64 = (-b + sqrt(b*b - 4*a*c)) / (2*a)
fn quadm(a: f64, b: f64, c: f64) -> f64 = (-b - sqrt(b*b - 4*a*c)) / (2*a)
fn qlog(x: f64) -> f64 = log(1 - x) / log(1 + x)
let x = any(1)
let y = signed(2)
print(sum(sqrt2(x) + cbrt2(x) + isqrt2(x) + log2n(x) + atan2n(y) + frac2(y) + frac3(y) + expm(y) + expq2(y) + exp2m(y)))
print(sum(tan2(y, signed(3)) + cos1(y) + tanhf(y) + sqrtexp(y) + quadp(signed(4), signed(5), signed(6)) + quadm(signed(7), signed(8), signed(9))))
print(sum(qlog(y)))
