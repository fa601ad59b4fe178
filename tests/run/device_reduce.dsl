# dslc run -Wno-not-associative -Wno-not-commutative device_reduce.dsl: the function matters less than its order
# Reductions of every kind over arrays that kernels made: whole, along rows and columns, inside elements.
fn noise(i: int) -> f64 { return f64((i * 7919 + 13) % 1009) / 1009.0 - 0.4 }
fn compose(a: (f64, f64), b: (f64, f64)) -> (f64, f64) { return (b.0 * a.0, b.0 * a.1 + b.1) }
fn divides(a: int, b: int) -> int { return a * b % 1000003 // max(1, (a + b) % 3) }

fn softmax(x: f64[n, m]) -> f64[n, m] {
    let top = max(x, axis=1)
    let e = [exp(x[i, j] - top[i]) for i in 0:n, j in 0:m]
    let total = sum(e, axis=1)
    return [e[i, j] / total[i] for i in 0:n, j in 0:m]
}
fn layer_norm(x: f64[n, m]) -> f64[n, m] {
    let centre = mean(x, axis=1)
    let spread = [sum([(x[i, j] - centre[i])^2 for j in 0:m]) / f64(m) for i in 0:n]
    return [(x[i, j] - centre[i]) / sqrt(spread[i] + 1e-5) for i in 0:n, j in 0:m]
}
arg n: int = 7000
let x = [noise(i) for i in 0:n]
let y = [f32(noise(i)) for i in 0:n]
let k = [(i * 7919) % 1009 - 500 for i in 0:n]
let b = [noise(i) > -0.399 for i in 0:n]
print(sum(x), max(x), min(x), argmax(x), argmin(x), mean(x), prod([1.0 + 1e-5 * e for e in x]))
print(sum(y), max(y), argmax(y), mean(y))
print(sum(k), max(k), argmin(k), any(k == 17), all(b), all(k > -600))
print(reduce(compose, (1.0, 0.0), [(0.5 + e, e) for e in x[0:5000]]))
print(reduce(divides, 1, k[0:3000]))
let a = reshape(x, (7, n // 7))
print(sum(a), sum(sum(a, axis=1)), sum(sum(a, axis=0)), max(min(a, axis=1)), [argmax(a[i, :]) for i in 0:7][3])
let c = reshape(x, (10, 7, n // 70))
print(sum(c), max(sum(c, axis=2)), max(sum(c, axis=0)), sum(sum(c, axis=1)))
print(sum(softmax(a)), max(softmax(a)))
let l = layer_norm(a)
print(sum(abs(l)), l[3, 4])

# rows of different lengths
let start = [i * (i - 1) // 2 for i in 0:100]
let rows = [sum([x[j] * x[k[j] + 500] for j in start[i]:start[i] + i]) for i in 0:100]
print(sum(rows), rows[99], rows[0])
var z = x
for t in 0:3 { z = z / sum(z) + 0.001 * max(z) }
print(sum(z))
# written in place, rows that are normalised
var w = a
parallel for i in 0:7 {
    let s = sum(w[i, :])
    for j in 0:n // 7 { w[i, j] = w[i, j] / (s + 1000.0) }
}
print(sum(w))
let long = [noise(3 * i) for i in 0:20 * n]
let s1 = cumsum(long)
print(s1[0], s1[4095], s1[4096], s1[20 * n - 1], sum(s1))
let s2 = cumsum([long[i] * long[20 * n - 1 - i] for i in 0:20 * n - 3])
print(s2[20 * n - 4], sum(s2))
print(sum(cumsum(k)), sum(scan(max, k)), scan(max, y)[n - 1])
let s3 = scan(divides, k)
print(s3[n - 1], sum(s3), sum(cumsum(x[0:100])), sum(cumsum(x[0:n - n])))
