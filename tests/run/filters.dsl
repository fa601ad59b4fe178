# Conditions in reductions and comprehensions: empty ranges, several ranges, kernels, what is evaluated once
let x = [3, -1, 4, -1, 5]
let (hi, lo) = (3, 5)
print([i for i in lo:hi if i > 0], sum(i for i in lo:hi if i > 0), [i for i in 9:-1:-3 if i != 6], [i for i in 0:lo:2 if i > 0])
fn between(a: int, b: int) -> int[n] = [i for i in a:b if i % 2 == 0]
print(between(5, 3), between(3, 9), between(0, 0))
print(sum(v for v in x if v > 0), prod(v for v in x if v > 0), min(v for v in x if v > 0), max(v for v in x if v < 0))
print(any(v == 4 for v in x if v > 3), all(v > 3 for v in x if v > 3), mean(v for v in x if v > 0), sum(i * j for i in 0:4, j in 0:4 if i < j))
print(sum(x[i] for i if x[i] > 0), max(f64(v) for v in x if v > 9), min(v for v in x if v > 9), min(u8(v) for v in x if v > 9))
print(reduce(fn(p, q) => p * q % 97, 1, v for v in x if v > 0), scan(fn(p, q) => max(p, q), v for v in x if v > 0))
print(sum(x[v] for v in x if v >= 0 and v < 5), sum(10 // v for v in [0, 1, 2] if v != 0))

fn counted(counter: int[n], limit: int) -> int[m] {
    var calls = 0
    var most = limit
    for k in 0:2 { most -= calls }
    return [v for v in counter if v > most]
}
print(counted(x, 0), [row for row in [[1, 2], [3, 4], [5, 6]] if row[0] > 1], [sum(r) for r in [[1, 2], [3, 4]] if sum(r) > 3])
struct P { a: int, b: f64 }
let ps = [P(i, 0.5 * i) for i in 0:4]
print([p.b for p in ps if p.a > 1], sum(p.b for p in ps if p.a % 2 == 1))

kernel near(y: out f64[n], x: f64[n], h: f64) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = sum(v for v in x if abs(v - x[i]) < h) + max(j for j in 0:i if x[j] < x[i]) }
}
let z = [f64(i * i % 7) for i in 0:10]
var y = zeros(f64, 10)
launch near[1, 16](y, z, 2.0)
print(y)
var w = zeros(int, 5)
parallel for i in 0:5 { w[i] = sum(v * x[j] for v in x, j in 0:5 if v > i and j != i) }
print(w, [sum(k for k in 0:i if k % 2 == 1) for i in 0:6])
print(grad(fn(a) => sum(v^2 for v in a if v > 0))([1.0, -2.0, 3.0]))
