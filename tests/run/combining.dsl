# Functions that scans and reductions may combine by: nothing is said about them, and they come to what a loop does.
fn folded(f: fn(T, T) -> T, x: T[n]) -> T {
    var y = x[0]
    for i in 1:n { y = f(y, x[i]) }
    return y
}
fn near(a: f64, b: f64) -> bool = abs(a - b) <= 1e-9 * max(1.0, abs(b))
struct Moments { n: f64, mean: f64, m2: f64 }
fn merged(a: Moments, b: Moments) -> Moments {
    let n = a.n + b.n
    if n == 0 { return a }
    let d = b.mean - a.mean
    return Moments(n, a.mean + d * b.n / n, a.m2 + b.m2 + d^2 * a.n * b.n / n)
}
struct Counted { n: int, mean: f64, m2: f64 }
fn counted(a: Counted, b: Counted) -> Counted {
    let n = a.n + b.n
    let d = b.mean - a.mean
    return Counted(n, a.mean + d * b.n / n, a.m2 + b.m2 + d^2 * a.n * b.n / n)
}
fn logaddexp(a: f64, b: f64) -> f64 = max(a, b) + log1p(exp(-abs(a - b)))
fn gcd(a: int, b: int) -> int {
    var x = a
    var y = b
    while y != 0 { (x, y) = (y, x % y) }
    return abs(x)
}
fn gcd_again(a: int, b: int) -> int = if b == 0 { abs(a) } else { gcd_again(b, a % b) }
struct Quaternion { w: f64, x: f64, y: f64, z: f64 }
fn times(a: Quaternion, b: Quaternion) -> Quaternion =
    Quaternion(a.w*b.w - a.x*b.x - a.y*b.y - a.z*b.z, a.w*b.x + a.x*b.w + a.y*b.z - a.z*b.y,
               a.w*b.y - a.x*b.z + a.y*b.w + a.z*b.x, a.w*b.z + a.x*b.y - a.y*b.x + a.z*b.w)
struct Top { first: f64, second: f64 } # in order
fn top(a: Top, b: Top) -> Top =
    if a.first > b.first { Top(a.first, max(a.second, b.first)) } else { Top(b.first, max(b.second, a.first)) }
struct Part { total: f64, prefix: f64, suffix: f64, best: f64 }
fn joined(a: Part, b: Part) -> Part =
    Part(a.total + b.total, max(a.prefix, a.total + b.prefix), max(b.suffix, b.total + a.suffix),
         max(max(a.best, b.best), a.suffix + b.prefix))
struct Span { lo: int, hi: int, any: bool }
fn spanned(a: Span, b: Span) -> Span {
    if not a.any { return b }
    if not b.any { return a }
    return Span(min(a.lo, b.lo), max(a.hi, b.hi), true)
}
# what the functions take from around them: a bound, a modulus, a table
fn capped(x: f64[n], most: f64) -> f64[n] = scan(fn(p, q) => min(p + q, most), x)
fn clipped(x: f64[n], lo: f64, hi: f64) -> f64[n] = scan(fn(p, q) => max(lo, min(p + q, hi)), x)
fn modular(x: int[n], m: int) -> int = reduce(fn(p, q) => p * q % m, 1, x)
fn looked_up(x: int[n], table: int[16]) -> int[n] = scan(fn(p, q) => table[4 * p + q], x)

let n = 300
let last = n - 1
let k = [i * 7919 % 211 + 1 for i in 0:n]
let x = [f64(v) / 211 for v in k]
let z = [0.3 * v + 0.9im for v in x]
let m = [(1.0 - 0.01 * v, 0.02, -0.02 * v, 0.99) for v in x]
let matrix = fn(a, b) => (a.0*b.0 + a.1*b.2, a.0*b.1 + a.1*b.3, a.2*b.0 + a.3*b.2, a.2*b.1 + a.3*b.3)
print(near(scan(fn(p, q) => p + q, x)[last], sum(x)), near(reduce(fn(p, q) => p * q, 1.0, x + 0.5), prod(x + 0.5)))
print(scan(max, x)[last] == max(x), reduce(min, inf, x) == min(x), reduce(max, 0.0, x) == max(x), scan(fn(p, q) => if q > p { q } else { p }, k)[last])
print(near(reduce(hypot, 0.0, x), sqrt(sum(x^2))), near(scan(logaddexp, x)[last], log(sum(exp(x)))), near(reduce(logaddexp, -1e300, x), log(sum(exp(x)))))
print(scan(gcd, 6 * k)[last], reduce(gcd_again, 0, 6 * k), scan(fn(p, q) => p * q // gcd(p, q), k % 6 + 1)[last], modular(k % 96 + 1, 97), folded(fn(p, q) => p * q % 97, k % 96 + 1))
print(near(reduce(merged, Moments(0, 0, 0), [Moments(1, v, 0) for v in x]).m2, sum((x - mean(x))^2)),
      near(scan(counted, [Counted(1, v, 0) for v in x])[last].m2, sum((x - mean(x))^2)))
let turns = [Quaternion(0.8, 0.6 * cos(v), 0.6 * sin(v), 0) for v in x]
print(near(scan(times, turns)[last].z, folded(times, turns).z), near(scan(matrix, m)[last].1, folded(matrix, m).1))
print(abs(reduce(fn(p, q) => p * q, c128(1, 0), z) - folded(fn(p, q) => p * q, z)) < 1e-9)
print(reduce(top, Top(-inf, -inf), [Top(v, -inf) for v in x]).second == sort(x)[last - 1])
let parts = [Part(v - 0.5, max(v - 0.5, 0), max(v - 0.5, 0), max(v - 0.5, 0)) for v in x]
print(near(scan(joined, parts)[last].best, folded(joined, parts).best))
print(reduce(fn(p, q) => if q.0 < p.0 { q } else { p }, (inf, -1), [(x[i] + 1e-6 * i, i) for i in 0:n]).1,
      scan(fn(p, q) => if q.0 >= p.0 { q } else { p }, [(x[i], i) for i in 0:n])[last].1)
let spans = [Span(v, v + 1, v % 3 == 0) for v in k]
print(reduce(spanned, Span(0, 0, false), spans).hi, scan(spanned, spans)[last].lo)
# sums that begin anew, by a flag that is a bool or an int
print(scan(fn(p, q) => (if q.1 { q.0 } else { p.0 + q.0 }, p.1 or q.1), [(k[i], i % 7 == 0) for i in 0:n])[last].0,
      scan(fn(p, q) => if q.1 == 1 { q } else { (p.0 + q.0, p.1 | q.1) }, [(k[i], int(i % 7 == 0)) for i in 0:n])[last].0, sum(k[n - n % 7:]))
print(near(capped(x, 3.0)[last], 3.0), near(clipped(x, 0.0, 3.0)[last], 3.0), looked_up(k % 4, [(i // 4 + i) % 4 for i in 0:16])[last], sum(k) % 4)
print(scan(fn(p, q) => p or q, x > 0.99)[last], scan(fn(p, q) => p xor q, x > 0.5)[last], scan(fn(p, q) => p | q, k)[last], scan(fn(p, q) => u8(p + q), [u8(v) for v in k])[last])
let maps = [(0.9, v) for v in x]
let after = fn(p, q) => (q.0 * p.0, q.0 * p.1 + q.1)
print(near(scan(after, maps)[last].1, folded(after, maps).1))
let velocity = fn(p, q) => (p + q) / (1 + p * q)
print(near(scan(velocity, 0.01 * x)[last], folded(velocity, 0.01 * x)), near(reduce(fn(p, q) => p + q - p * q, 0.0, 0.01 * x), 1 - prod(1 - 0.01 * x)))
print(near(scan(fn(p, q) => max(p + q - 1, 0.0), 1 - 0.001 * x)[last], 1 - 0.001 * sum(x)), scan(fn(p, q) => if q % 3 != 0 { q } else { p }, k)[last])
let peaks = fn(p, q) => (max(p.0, q.0), exp(p.0 - max(p.0, q.0)) * p.1 + exp(q.0 - max(p.0, q.0)) * q.1)
print(near(reduce(peaks, (0.0, 0.0), [(v, 1.0) for v in x]).1, sum(exp(x - max(x)))))
let brackets = fn(p, q) => (p.0 + q.0 - min(p.1, q.0), p.1 + q.1 - min(p.1, q.0)) # closing and opening ones without a partner
print(scan(brackets, [(v % 2, 1 - v % 2) for v in k])[last], folded(brackets, [(v % 2, 1 - v % 2) for v in k]))
# sixteen elements and fewer are taken in order
print(reduce(fn(p, q) => 10 * p + q, 0, [1, 2, 3, 4]), scan(fn(p, q) => p - q, [1, 2, 3, 4]), reduce(fn(p, q) => p + q, 100, i for i in 0:16))
print(scan(fn(p, q) => f16(p + q), [f16(v % 3) for v in k[:100]])[99], scan(fn(p, q) => bf16(p * q), [bf16(1) for v in k])[last])
