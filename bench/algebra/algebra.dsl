# Products of matrices as textbooks write them, for --fp=reassoc: milliseconds, the best of `reps`
const reps = 7

fn some(seed: int, n: int, m: int) -> f64[n, m] = [uniform(seed, i * m + j) - 0.5 for i in 0:n, j in 0:m]

fn chain(a: f64[n, k], b: f64[k, l], c: f64[l, p], d: f64[p, m]) -> f64[n, m] = a @ b @ c @ d
# Covariances of a Kalman filter behind a measurement of a few numbers
fn kalman(p: f64[n, n], k: f64[n, m], h: f64[m, n]) -> f64[n, n] = p - k @ h @ p
# The same in the form that keeps them symmetric, of Joseph
fn joseph(p: f64[n, n], k: f64[n, m], h: f64[m, n], r: f64[m, m]) -> f64[n, n] {
    let kept = eye(n) - k @ h
    return kept @ p @ kept.T + k @ r @ k.T
}
fn scaled_rows(v: f64[n], a: f64[n, m], x: f64[n, m]) -> f64 = sum((diag(v) @ a + x)^2)
fn linear_attention(q: f64[n, d], k: f64[n, d], v: f64[n, d]) -> f64[n, d] = q @ k.T @ v / n
fn symmetric(a: f64[n, n]) -> f64[n, n] {
    let x = a + a.T
    let p = x @ x
    return p + p.T
}
fn common(a: f64[n, n], b: f64[n, n], c: f64[n, n]) -> f64[n, n] = a @ b + a @ c
# One step of gradient descent for a factorisation of low rank
fn low_rank(x: f64[n, m], u: f64[n, k], v: f64[k, m]) -> f64[n, k] = u - 0.001 * ((u @ v - x) @ v.T)

fn shown(name: str, seconds: f64[k], check: f64) { print(name, 1000 * min(seconds), check) }

var took = zeros(f64, reps)
let (a, b, c, d) = (some(1, 30, 1500), some(2, 1500, 40), some(3, 40, 1500), some(4, 1500, 50))
var made = chain(a, b, c, d)
for r in 0:reps {
    let start = time()
    made = chain(a + r, b, c, d)
    took[r] = time() - start
}
shown("chain", took, sum(made))
let (p, gain, seen, noise) = (some(5, 800, 800), some(6, 800, 6), some(7, 6, 800), some(8, 6, 6))
var next = p
for r in 0:reps {
    let start = time()
    next = kalman(p + r, gain, seen)
    took[r] = time() - start
}
shown("kalman", took, sum(next))
for r in 0:reps {
    let start = time()
    next = joseph(p + r, gain, seen, noise)
    took[r] = time() - start
}
shown("joseph", took, sum(next))
let scale = p[0]
let slope = grad(scaled_rows, wrt=v)
var slopes = scale
for r in 0:reps {
    let start = time()
    slopes = slope(scale + r, p, p)
    took[r] = time() - start
}
shown("gradient_of_rows", took, sum(slopes))
let (q, k, v) = (some(9, 2000, 64), some(10, 2000, 64), some(11, 2000, 64))
var heard = q
for r in 0:reps {
    let start = time()
    heard = linear_attention(q + r, k, v)
    took[r] = time() - start
}
shown("linear_attention", took, sum(heard))
for r in 0:reps {
    let start = time()
    next = symmetric(p + r)
    took[r] = time() - start
}
shown("symmetric", took, sum(next))
for r in 0:reps {
    let start = time()
    next = common(p + r, p, p - 1)
    took[r] = time() - start
}
shown("common", took, sum(next))
let (u, w) = (some(12, 800, 10), some(13, 10, 800))
var part = u
for r in 0:reps {
    let start = time()
    part = low_rank(p, u + r, w)
    took[r] = time() - start
}
shown("low_rank", took, sum(part))
