# Forms that dslc accuracy offers (docs/accuracy.md) beside the exact values: what is written keeps its digits on every backend.
fn near(x: f64, exact: f64) -> bool = abs(x - exact) <= 2e-15 * abs(exact)
fn larger(a: f64, b: f64, c: f64) -> f64 {
    let d = sqrt(b*b - 4*a*c)
    return if b < 0 { (d - b) / (2*a) } else { -2 * c / (d + b) }
}
kernel steps(y: out f64[n], x: f64[n]) {
    let i = block.x * 32 + thread.x
    if i < n { y[i] = 1 / (sqrt(x[i] + 1) + sqrt(x[i])) }
}
let x = [1e4, 1e8, 1e12]
var y = zeros(f64, 3)
launch steps[1, 32](y, x)
let exact = [4.999875006249609e-3, 4.9999999875e-5, 4.99999999999875e-7]
print([near(y[i], exact[i]) for i in 0:3], near(1 / (sqrt(x[0] + 1) + sqrt(x[0])), exact[0]))
print(near(log1p(-1e-12), -1.0000000000005e-12), near(expm1(1e-10), 1.00000000005e-10))
print(near(2 * (sin(0.5 * 1e-8) / 1e-8)^2, 0.5), near(-1 / (1e8^2 + 1e8), -9.9999999000000009999e-17))
print(near(larger(1.0, 1e9, 1.0), -1e-9), near(larger(1.0, -1e9, 1.0), 999999999.999999999), near(atan2(1, 1e6^2 + 1 + 1e6), 9.99999000000e-13))
let b = [-1e7, 1e7]
let r = where(b < 0, 0.5 * (sqrt(b^2 - 4) - b), -2 / (sqrt(b^2 - 4) + b))
print(near(r[0], 9999999.9999999), near(r[1], -1.00000000000001e-7))
let q = f32([1e-6, 2e-6])
print(abs(log1p(-q) + [1.0000005e-6, 2.000002e-6]) < 1e-12)
