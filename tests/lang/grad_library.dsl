# Derivatives of what the library computes by C functions, iterations and searches: gradient = tangent = differences.
const knots = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
const middle = [0.31, 0.62, 0.27, 0.83, 0.49, 0.55]
fn agree(f: fn(f64[6]) -> f64) {
    let x = middle
    let d = [0.3, -0.4, 0.5, 0.1, -0.2, 0.25]
    let h = 1e-4
    var v = zeros(f64, 4)
    for k in 0:4 { v[k] = f(x + (if k < 2 { k + 1 } else { 1 - k }) * h * d) }
    let slope = (8 * (v[0] - v[2]) - (v[1] - v[3])) / (12 * h)
    let back = sum(grad(f)(x) * d)
    let along = jvp(f)(x, d).1
    assert abs(back - slope) < 1e-7 * (1 + abs(slope)), f"{back} backward, {slope} by differences"
    assert abs(along - slope) < 1e-7 * (1 + abs(slope)), f"{along} forward, {slope} by differences"
}
fn m(x: f64[6]) -> f64[2, 3] = reshape(x, 2, 3)
fn square(x: f64[6]) -> f64[3, 3] = [[x[0], 2 + x[1], x[2]], [-3 * x[3], x[4], 1.0], [0.5, x[5], 0.7]]
fn both(z: c128[n]) -> f64 = sum(real(z)^3 + imag(z)^2)
fn decomposed(a: f64[p, q]) -> f64 {
    let (u, s, vt) = svd(a)
    return sum(u^3) + sum(s^3) + sum((vt + 1)^3)
}
fn inverse(a: f64[n, n]) -> f64 {
    let (u, s, vt) = svd(a)
    return sum((vt.T @ diag(1 / s) @ u.T)^3)
}
fn triangles(a: f64[p, q]) -> f64 {
    let (o, r) = qr(a)
    return sum((o + 1)^3) + sum((r + 1)^3)
}
fn modes(a: f64[n, n]) -> f64 {
    let (w, v) = eig(a)
    return both(w) + sum([sum(real(v[i, k])^3 + (i + 1) * imag(v[i, k])^2 for i in 0:n) for k in 0:n])
}

test "fft" { agree(fn(x) => both(fft(c128(x, x^2))) + both(ifft(c128(x[0:5], x[1:6])))) }
test "fft along axes" { agree(fn(x) => both(flatten(fft(c128(m(x), m(x)^2), axis=0))) + both(flatten(ifft2(c128(m(x)))))) }
test "rfft" { agree(fn(x) => both(rfft(x)) + both(rfft(x[0:5])) + both(flatten(rfft(m(x))))) }
test "irfft" { agree(fn(x) => sum(irfft(c128(x[0:4], x[2:6]), 6)^3) + sum(irfft(c128(x[0:4], x[2:6]), 7)^3)) }
test "fftconvolve" { agree(fn(x) => sum(fftconvolve(x, x^2)^3)) }
test "spectra" { agree(fn(x) => sum(periodogram(x).1^2) + sum(welch(x, 1.0, 4).1^2)) }
test "svd" { agree(fn(x) => decomposed(m(x)) + decomposed(m(x).T)) }
test "svd of equal values" { agree(fn(x) => inverse(eye(3) + square(x) - square(middle)) + sum(pinv(eye(3) + square(x) - square(middle))^3)) }
test "qr" { agree(fn(x) => triangles(m(x)) + triangles(m(x).T) + triangles(square(x))) }
test "eig" { agree(fn(x) => modes(square(x))) }
test "pinv" { agree(fn(x) => sum(pinv(m(x))^3) + sum(pinv(m(x).T)^3) + cond(square(x)) * rank(m(x))) }
test "lstsq" { agree(fn(x) => sum(lstsq(m(x), x[0:2])^3) + sum(lstsq(m(x).T, x[0:3])^3) + sum(lstsq(m(x).T, square(x))^3)) }
test "bands" { agree(fn(x) => sum(solve_banded([[0.0, x[0], x[1]], [4.0, 5.0, 6.0], [x[2], x[3], 0.0], [x[1], 0.0, 0.0]], x[0:3], 2)^2)) }
test "three diagonals" { agree(fn(x) => sum(solve_tridiagonal(x[0:2], 3 + x[0:3], x[3:5], x[3:6])^2)) }
test "cubic" { agree(fn(x) => sum(cubic(3 + x, knots, x)^2)) }
test "spline" { agree(fn(x) => sum(spline(3 + x, knots, x)^2)) }
test "pchip, akima" { agree(fn(x) => sum(pchip(3 + x, knots, x)^2) + sum(akima(3 + x, knots, x)^2)) }
test "integrate" { agree(fn(x) => integrate(fn(t) => sin(t * x[0]) + 1 / (x[1] + t^2), 0.0, x[2])) }
test "integrate to infinity" { agree(fn(x) => integrate(fn(t) => exp(-x[3] * t), x[4], inf)) }
test "root" { agree(fn(x) => root(fn(t) => t^3 + t + x[0], -2.0, 2.0)^2 + root(fn(t) => t - x[0] * x[1], 0.0, 1.0)) }
test "gmres" { agree(fn(x) => sum(gmres(fn(q) => [3 * q[i] + (if i > 0 { q[i - 1] * x[0] } else { 0.0 }) for i in 0:6], x)^2)) }
test "cg" { agree(fn(x) => sum(cg(fn(q) => [(3 + x[i]) * q[i] for i in 0:6], x^2)^2)) }
test "ode" { agree(fn(x) => sum(ode(fn(t, y) => [-x[0] * y[0], x[1] * y[0] * t], x[2:4], [0.0, 1.0, 2.0])[2]^2)) }
fn landing(x: f64[6]) -> f64 {
    let end = ode_until(fn(t, y) => [y[1], -5 * x[4] - x[0] * y[1]^3], x[2:4], [0.0, 1.0, 5.0], fn(t, y) => y[0] - 0.1 * x[5], -1, 1e-11, 1e-13)
    return end.t^2 + end.y[1] + end.y[0]
}
test "ode_until" { agree(landing) }
test "twice" { agree(fn(x) => sum(hvp(fn(y) => sum(rfft(y).re^4) + sum(svd(m(y)).1^3))(x, x^2))) }
