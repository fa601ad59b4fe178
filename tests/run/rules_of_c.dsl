# C functions with rules: in loops they run again, and both ways of differentiating come from one rule
extern fn sinh(x: f64) -> f64
extern fn cosh(x: f64) -> f64
vjp fn sinh(x: f64, s: f64) -> f64 = s * cosh(x)
jvp fn cosh(x: f64, d: f64) -> f64 = d * sinh(x)
fn loop(x: f64) -> f64 {
    var y = x
    for t in 0:3 { y = sinh(y) / 2 }
    return y
}
print(grad(sinh)(0.5), jvp(sinh)(0.5, 2.0), grad(cosh)(0.5), jvp(cosh)(0.5, 1.0))
print(grad(loop)(0.5), check_grad(fn(x) => loop(x[0]), [0.5]) < 1e-6)
print(grad(grad(sinh))(0.5), grad(grad(grad(loop)))(0.5), hvp(loop)(0.5, 1.0))
