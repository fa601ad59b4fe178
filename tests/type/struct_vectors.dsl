# Sums of structs keep their sizes; a vector of their floats has the size that follows from these
struct P { w: f64[a, b], b: f64[b], s: f64, z: c128, ids: int[b] }
struct Q { w: f64[a, b], s: f32 }
fn count(q: Q, w: f64[a, b]) -> f64[a, b] = (q * 2 - q / 3).w + w
fn flat(q: (f64[n, m], f64[m], f64)) -> f64[n * m + m + 1] = flatten(q)
fn back(v: f64[n * m + 1], w: f64[n, m]) -> f64[n, m] = unflatten(v, (w, 1.0)).0
fn step(p: T, g: T, rate: f64) -> T = p - rate * g
let p = P(zeros(f64, 4, 3), zeros(f64, 3), 1, 2im, [1, 2, 3])
let v: f64[18] = flatten(p)
let q: f64[4, 3] = unflatten(v, p).w
let r: f32[13] = flatten(f32(1) * (zeros(f32, 4, 3), f32(2)))
let s: f64[13] = flatten(Q(q, 1))
let t: c128[3] = flatten([[1im, 2, 3]])
print(step((q, 1.0), (q, 2.0), 1).0 + q, count(Q(q, 1), q), r, s, t, flat((q, zeros(f64, 3), 1)), back(s, q))
