# What scans and reductions combine by, and must not
fn filtered(x: f64[n]) -> f64[n] = scan(fn(p, q) => 0.9 * p + q, x)
fn smoothed(x: f64[n], keep: f64) -> f64[n] = scan(fn(p, q) => keep * p + (1 - keep) * q, x)
fn between(a: f64, b: f64) -> f64 = (a + b) / 2
fn middle(a: int, b: int) -> int = (a + b) // 2
struct Line { slope: f64, at: f64 }
fn then(a: Line, b: Line) -> Line = Line(a.slope * b.slope, a.slope * a.at + b.at)
fn digits(a: int, b: int) -> int {
    var times = 1
    for _ in 0:2 { times *= 10 }
    while times <= b { times *= 10 }
    return a * times + b
}
let x = [sin(f64(i)) for i in 0:100]
let k = arange(100)
print(filtered(x), smoothed(x, 0.5), scan(between, x), scan(middle, k), scan(fn(p, q) => p - q, x))
print(scan(then, [Line(v, v) for v in x])[99].at, reduce(fn(p, q) => p - q, 0, k), reduce(digits, 0, k))
print(reduce(fn(p, q) => p + q * q, 0.0, x), reduce(fn(p, q) => p != q, false, x > 0.5), reduce(fn(p, q) => p and not q, true, x > 0.5))
let decay = fn(p: f32, q: f32) => 0.5 * p + q
print(scan(decay, [f32(v) for v in x]))
kernel rows(y: out f64[n], a: f64[n, m]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = reduce(fn(p, q) => abs(p - q), 0.0, a[i, j] for j in 0:m) }
}
var y = x
launch rows[ceildiv(100, 64), 64](y, ones(f64, 100, 100))
print(y[0])
