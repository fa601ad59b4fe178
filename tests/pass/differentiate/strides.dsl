# RUN: dslc --emit=loops %s -o - | FileCheck %s
# What is read at indices with factors, remainders, quotients and ends is gathered: nothing atomic, no tables of indices.
# CHECK-NOT: atomic
# CHECK-NOT: i64[
# CHECK: func @by_last
fn conv(x: f64[n], w: f64[m], s: int) -> f64 = sum([sum(w[a] * x[s*i + a] for a) for i in 0:(n - m) // s + 1]^2)
fn dilated(x: f64[n], w: f64[m]) -> f64 = sum([sum(w[a] * x[i + 2*a] for a) for i in 0:n - 2 * m]^3)
fn mean(x: f64[n, m]) -> f64 = sum([sum(x[2*i + a, 2*j + b] for a in 0:2, b in 0:2) for i in 0:n // 2, j in 0:m // 2]^2)
fn cross(x: f64[n, m]) -> f64 = sum([sum(x[i + a, i - a + 2]^2 for a in 0:3) for i in 0:min(n, m) - 2]^2)
fn ring(x: f64[n], w: f64[m]) -> f64 = sum([sum(w[a] * x[(i + a) % n] for a) for i in 0:n]^2)
fn up(x: f64[n]) -> f64 = sum([x[i // 2] * x[(i + 1) // 2] for i in 0:2 * n - 1]^2)
fn still(x: f64[n], w: f64[m]) -> f64 = sum([sum(w[a] * x[clamp(i + a - 1, 0, n - 1)] for a) for i in 0:n]^2)
fn flat(x: f64[n], h: int, w: int) -> f64 = sum([x[(i * w + j)]^2 for i in 0:h, j in 0:w])
fn down(x: f64[n]) -> f64 {
    var y = zeros(f64, n // 2)
    parallel for i in 0:n // 2 { y[i] = x[2*i] * x[2*i + 1] }
    return sum(y^2)
}
export fn by_conv(x: f64[n], w: f64[m]) -> f64[n] = grad(conv, wrt=x)(x, w, 2)
export fn by_dilated(x: f64[n], w: f64[m]) -> f64[n] = grad(dilated, wrt=x)(x, w)
export fn by_mean(x: f64[n, m]) -> f64[n, m] = grad(mean)(x)
export fn by_cross(x: f64[n, m]) -> f64[n, m] = grad(cross)(x)
export fn by_ring(x: f64[n], w: f64[m]) -> f64[n] = grad(ring, wrt=x)(x, w)
export fn by_up(x: f64[n]) -> f64[n] = grad(up)(x)
export fn by_still(x: f64[n], w: f64[m]) -> f64[n] = grad(still, wrt=x)(x, w)
export fn by_flat(x: f64[n], h: int, w: int) -> f64[n] = grad(flat, wrt=x)(x, h, w)
export fn by_last(x: f64[n]) -> f64[n] = grad(down)(x)
