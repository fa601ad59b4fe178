# Functions that do more than compute, or go on for long, are not tried on values; the last one is.
let x = [sin(f64(i)) for i in 0:100]
let k = arange(100)
fn endless(a: int, b: int) -> int {
    var s = a
    while s >= 0 { s = s + b - b }
    return s
}
fn deep(a: int, b: int) -> int = if a == -1 { 0 } else { deep(a + 1, b) + 1 }
fn wants(a: int, b: int) -> int {
    assert a < 0
    return a - b
}
fn tells(a: int, b: int) -> int {
    print(a)
    return a - b
}
print(scan(endless, k), scan(deep, k), scan(wants, k), scan(tells, k), scan(fn(p, q) => p // (q - q), k), scan(fn(p, q) => k[p] - q, k))
print(scan(fn(p, q) => (p.0 - q.0, q.1), [(v, "a") for v in k])[3].1, scan(fn(p, q) => 0.0 * p / (q - q), x))
print(scan(fn(p, q) => p - q, x))
