# Arrays that are put together of parts: concat, pad, and what is written so by hand
fn three(a: T[n], b: T[m]) -> T[n + m + n] = concat(concat(a, b), a)
fn stairs(a: f64[n, m]) -> f64[2 * n, 2 * m] = vstack(hstack(a, 2.0 * a), hstack(a + 1.0, -a))
fn by_hand(a: int[n], b: int[m]) -> int[n + m] {
    var r = zeros(int, n + m)
    r[:n] = a * a
    r[n:] = b
    return r
}
fn overlapped(a: int[n]) -> int[n + 2] {
    var r = zeros(int, n + 2)
    r[0:n] = a
    r[2:n + 2] = a
    return r
}
fn interleaved(a: f64[n], b: f64[n]) -> f64[2 * n] {
    var r = zeros(f64, 2 * n)
    r[0::2] = a
    r[1::2] = b
    return r
}
fn halves(a: f64[n], b: f64[m]) -> (f64[n], f64[m], f64[2]) {
    let r = concat(sqrt(a), b)
    return (r[0:n], r[n:n + m], r[n - 1:n + 1])
}
fn laplace(u: f64[n, m]) -> f64[n, m] {
    let p = pad(u, 1)
    return p[0:n, 1:m + 1] + p[2:n + 2, 1:m + 1] + p[1:n + 1, 0:m] + p[1:n + 1, 2:m + 2] - 4.0 * p[1:n + 1, 1:m + 1]
}
fn framed(u: f64[n, m], v: f64) -> f64[n, m] {
    var r = full(v, n, m)
    r[1:n - 1, 1:m - 1] = exp(u[1:n - 1, 1:m - 1])
    return r
}
fn energy(a: f64[n], b: f64[m]) -> f64 {
    let r = concat(a * a, sin(b))
    let p = pad(r, 2, 1, a[0])
    return sum([p[i] * p[i + 1] * (i + 1) for i in 0:len(p) - 1])
}
fn spaced(a: f64[n], v: f64) -> f64 {
    var r = full(v, 2 * n + 1)
    r[1::2] = a
    return sum([x * x for x in r] * arange(2 * n + 1))
}

let x = [0.5, 1.0, 2.0]
let y = [4.0, -1.0]
let none = zeros(f64, 0)
print(three(x, y), three([1, 2], [3]), three([true], [false, false]))
print(three(none, y), three(none, none), concat(none, x))
print(stairs([[1.0, 2.0], [3.0, 4.0]]))
print(by_hand([1, 2, 3], [7, 8]), by_hand(zeros(int, 0), [5]), overlapped([1, 2, 3]), overlapped([9]))
print(interleaved(x, 2.0 * x), interleaved(none, none))
print(halves([1.0, 4.0], [9.0]))
print(laplace([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), laplace(zeros(f64, 0, 2)))
print(framed(zeros(f64, 3, 4), 0.25), framed(zeros(f64, 2, 2), 1.0))
print(pad(x, 1, 2, -1.0), pad(none, 1), pad([[true]], 1, false))
print(energy(x, y), spaced(x, 3.0))
print(grad(energy, wrt=(a, b))(x, y), grad(spaced, wrt=(a, v))(x, 3.0))
print(jvp(energy)(x, y, ([1.0, 0.0, 0.0], [0.0, 1.0])))
print(hvp(energy, wrt=a)(x, y, [1.0, 0.0, 1.0]))
