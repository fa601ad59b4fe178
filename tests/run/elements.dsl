# Comprehensions and reductions over the elements of arrays: numbers, structs, rows
struct Body { x: f64, mass: f64 }
fn f(c: f64) -> f64 = c * 2
fn total(xs: f64[n], k: f64) -> f64 = sum(c * k for c in xs)
kernel norms(y: out f64[n], _m: f64[n, k], w: f64[k]) {
    let i = thread.x
    if i < n { y[i] = sum(v * v for v in w) + f64(i) }
}
let xs = [1.0, 2.5, 3.0]
let m = [[1, 2], [3, 4], [5, 6]]
let bodies = [Body(f64(i), 2) for i in 0:4]
let k = 10.0
print([f(c) for c in xs], [c + k for c in xs], sum(c * c for c in xs), total(xs, 3.0))
print([sum(row) for row in m], [r[1] for r in m], max(sum(r) for r in m))
print([b.x * b.mass for b in bodies], sum(b.mass for b in bodies), [v + 1 for v in bodies.x])
print([a * b for a in xs, b in xs], [a * i for a in xs, i in 0:2], [sum(a * b for b in xs) for a in xs])
print([c > 2 for c in xs], any(c > 2 for c in xs), [(c, 1) for c in xs].0, [1 for c in xs])
var y = zeros(f64, 3)
launch norms[1, 3](y, [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [1.0, 2.0])
print(y, [xs for xs in xs], reduce(fn(p, q) => p + q, 0.0, c for c in xs))
