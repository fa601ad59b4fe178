fn f(x: f64[n]) -> f64[n] = 2 * x
fn g(x: f64, k: int) -> f64 = x * k
fn h(k: int) -> f64 = f64(k)
kernel kern(x: inout f64[n]) { x[thread.x] = 1 }
print(grad(f)([1.0, 2.0]))
print(grad(g(1.0, 2)))
print(grad(g, wrt=k)(1.0, 2))
print(grad(g, wrt=z)(1.0, 2))
print(grad(h)(3))
print(grad(kern))
print(grad(g, by=x)(1.0, 2))
print(grad(3))

print(jvp(h)(3, 1.0))
print(jvp(g)(1.0, 2))
print(jvp(f)([1.0, 2.0], 3.0))
print(vjp(fn(x) => int(x))(1.0, 1.0))
fn two(x: f64[n], y: f64) -> f64 = sum(x) * y
print(jacobian(two)([1.0], 2.0), jacobian(two, wrt=(x, y))([1.0], 2.0), hessian(two, wrt=z)([1.0], 2.0))
print(jacobian(fn(x: f64) => (x, x))(1.0))
print(hvp(two)([1.0], 2.0, 3.0))
print(grad(g, wrt=0)(1.0, 2), jvp(g, wrt="x")(1.0, 2, 1.0), grad(two, wrt=(x, 1))([1.0], 2.0), grad(g, wrt=q[0])(1.0, 2))
