# Sizes that are provably equal, and sizes that are checked when the program runs
const width = 3
fn blur(x: f64[n]) -> f64[n - width + 1] = [sum(x[i + k] for k in 0:width) / width for i in 0:n - width + 1]
fn both(x: f64[n], y: f64[n]) -> f64[2*n] {
    var r = zeros(f64, 2*n)
    r[0:n] = x
    r[n:] = y
    return r
}
fn columns(A: f64[n, m]) -> (f64[n], f64[n, m - 1]) = (A[:, 0], A[:, 1:])
fn square(A: f64[n, n]) -> f64 = sum(A[i, i] for i)
fn shrink(x: f64[n]) -> f64[n // 2] = x[0:n // 2]
fn unknown(x: f64[n]) -> f64[k] = x[0:int(sum(x))]
fn padded(n: int, x: f64[n]) -> f64[n + 2] {
    let m = n + 2
    var r = zeros(f64, m)
    r[1:m - 1] = x
    return r
}
fn reshaped(x: f64[n, m]) -> f64[m * n] = reshape(x, -1)
fn transposed(x: f64[n, m, k]) -> f64[k, m, n] = x.T
fn permuted(x: f64[n, m, k]) -> f64[m, k, n] = transpose(x, 1, 2, 0)
fn steps(x: f64[n]) -> (f64[(n + 1) // 2], f64[n]) = (x[::2], x[::-1])
fn same(x: f64[n], y: f64[n + 0]) -> f64[n] = x + y
fn scale(a: f64, x: f64[n]) -> f64[n] = a * x
let a = [1.0, 2.0, 3.0, 4.0]
let b: f64[2] = blur(a)
let c: f64[8] = both(a, a)
let d = unknown([1.0, 1.0, 1.0])
let e: f64[_] = d + d
let f: f64[q] = d
let g = zeros(f64, q) + d + f
let h: f64[4] = scale(2, a) + scale(2.0, reshaped([[1.0, 2.0], [3.0, 4.0]]))
var total = 0.0
for i in 0:len(a) {
    let part = a[0:i]
    let twice: f64[i] = part + part
    total += sum(twice)
}
let w = if total > 3 { d } else { f }
let (first, rest) = columns([[1.0, 2.0], [3.0, 4.0]])
print(b, c, e, g, h, w, first, rest, square(rest[0:1]), shrink(a), padded(4, a), same(a, a))
print(transposed(zeros(f64, 2, 3, 4)), permuted(zeros(f64, 2, 3, 4)), steps(a), total)
