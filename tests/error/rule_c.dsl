extern fn tgamma(x: f64) -> f64
extern fn sinh(x: f64) -> f64
extern fn cosh(x: f64) -> f64
vjp fn sinh(x: f64, s: f64) -> f64 = s * cosh(x)
print(grad(sinh)(0.5), jvp(sinh)(0.5, 1.0))
print(grad(grad(sinh))(0.5))
