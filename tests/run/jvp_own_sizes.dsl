# Directional derivatives of functions whose results have sizes of their own
fn halves(x: f64[n]) -> f64[k] { let k = n // 2; return [x[2 * i] * x[2 * i + 1] for i in 0:k] }
fn chosen(x: f64[n]) -> f64[k] { let y = x[x > 0.3]; return y * y }
let u = rand(1, 9)
let d = rand(2, 9)
print(grad(fn(y) => sum(jvp(halves)(y, d).1^2))(u))
print(jvp(fn(y) => jvp(halves)(y, d).1)(u, d).1, jvp(chosen)(u, d), jacobian(chosen)(u))
fn twice(f: fn(f64[n]) -> f64[m], x: f64[n], d: f64[n]) -> f64 { let (y, dy) = jvp(f)(x, d); return sum(y * dy) }
print(twice(halves, u, d), twice(chosen, u, d), check_grad(fn(x) => twice(chosen, x, d), u) < 1e-6)
for t in 1:4 { print(jvp(halves)(u[:t + 2], d[:t + 2]).1) }
fn sizes(x: f64[n], t: int) -> f64 = if t > 0 { sum(jvp(halves)(x, x).1) } else { 0.0 }
print(sizes(u, 1), sizes(u, 0))
