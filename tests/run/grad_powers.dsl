# Tangents of powers of complex numbers: a loop whose values wait for each other in more than one circle.
fn f(z: c128, k: int) -> c128 = z^k
let z = c128(0.6, -0.8)
for k in [2, 3, 5, -2] {
    let (value, along) = jvp(f, wrt=z)(z, k, c128(0.5, 2.0))
    print(k, abs(value - f(z, k)) < 1e-15, abs(along - k * f(z, k - 1) * c128(0.5, 2.0)) < 1e-13)
}
fn power(x: f64[n]) -> f64 = sum(real(rfft(x)^2)) + sum(imag(rfft(x)^3))
let x = [0.3, -0.2, 0.5, 0.1]
let d = [1.0, 0.5, -0.25, 2.0]
let h = 1e-5
print(max(abs(hvp(power)(x, d) - (grad(power)(x + h * d) - grad(power)(x - h * d)) / (2 * h))) < 1e-8)
