# Sums of floats by atomic into elements that data say
fn at(i: int, m: int) -> int = (i * 7919 + i * i * 31) % m
arg n: int = 3000
fn one(x: f64[n], m: int) -> f64[m] {
    var h = [f64(i) / 3.0 for i in 0:m]
    parallel for i in 0:n { atomic h[at(i, m)] += x[i] }
    return h
}
fn small(x: f32[n], to: int[n], m: int) -> f32[m] {
    var h = zeros(f32, m)
    parallel for i in 0:n { if x[i] > 0.25 { atomic h[to[i]] += x[i] } else { atomic h[to[n-1-i]] -= 0.5*x[i] } }
    return h
}
fn grid(x: f64[n], y: f64[n], m: int, k: int) -> (f64[m, k], f64[m]) {
    var h = zeros(f64, m, k)
    var q = zeros(f64, m)
    parallel for i in 0:n {
        let a = int(floor(abs(x[i]) * f64(m - 1)))
        let b = int(floor(abs(y[i]) * f64(k - 1)))
        for d in 0:2 {
            atomic h[a + d, b] += x[i] * y[i] * f64(d + 1)
            for e in 0:3 { if e != d { atomic q[(a + b + e) % m] += y[i] / f64(e + 1) } }
        }
    }
    return (h, q)
}
fn plane(x: f64[n, k], to: int[n, k], m: int) -> f64[m] {
    var h = zeros(f64, m)
    parallel for i in 0:n, j in 0:k { atomic h[to[i, j]] += x[i, j] }
    return h
}
fn mark(x: f64[n]) -> f64 = sum([x[i] * f64((i * 5) % 11) for i in 0:n])
let x = [sin(f64(i)) for i in 0:n]
let y = [cos(f64(i) * 1.7) for i in 0:n]
let to = [at(i, 50) for i in 0:n]
print(mark(one(x, 1)), mark(one(x, 63)), mark(one(x, 64)), mark(one(x, 65)), mark(one(x, 5000)))
print(mark(f64(small(f32(x), to, 50))), mark(f64(small(f32(x[0:1]), to[0:1], 50))))
let (h, q) = grid(x, y, 20, 31)
print(sum(h), mark(h[3]), mark(q))
print(mark(plane(reshape(x, n // 10, 10), reshape(to, n // 10, 10), 50)), mark(one(x[0:0], 7)))
# derivatives of reads here and there are such sums
fn loss(w: f64[m], to: int[n], x: f64[n]) -> f64 = sum([(w[to[i]] * x[i] - 1.0)^2 for i in 0:n])
let w = [f64(i) for i in 0:50]
print(mark(grad(loss, wrt=w)(w, to, x)))
