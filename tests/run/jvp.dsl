# jvp, vjp, jacobian, hessian, hvp: the kinds of derivative, and each through each.
fn sq(x: f64) -> f64 = x * x
print(jvp(sq)(3.0, 1.0))
print(jvp(sq)(3, 2))
fn vec(x: f64[n], a: f64 = 2.0) -> f64[n] = a * sin(x) + x[0]
print(jvp(vec)([1.0, 2.0], 3.0, ([1.0, 0.0], 0.5)))
print(jvp(vec, wrt=x)([1.0, 2.0], 3.0, [1.0, 0.0]))
print(vjp(vec)([1.0, 2.0], 3.0, [1.0, 0.0]))
print(jacobian(vec, wrt=x)([1.0, 2.0, 3.0]))
fn rosen(x: f64[n]) -> f64 = sum(100 * (x[i+1] - x[i]^2)^2 + (1 - x[i])^2 for i in 0:n-1)
print(hessian(rosen)([1.0, 2.0, 3.0]))
print(hvp(rosen)([1.0, 2.0, 3.0], [1.0, 0.0, 0.0]))
print(grad(fn(y) => sum(grad(rosen)(y) * [1.0,0.0,0.0]))([1.0,2.0,3.0]))
print(jvp(fn(y) => jvp(rosen)(y, [0.0,1.0,0.0]).1)([1.0,2.0,3.0],[1.0,0.0,0.0]))
print(grad(fn(y) => jvp(rosen)(y, [1.0,0.0,0.0]).1)([1.0,2.0,3.0]))
print(grad(vec2)(x=[1.0,2.0]))
fn vec2(x: f64[n], a: f64 = 2.0) -> f64 = a*sum(x^2)
fn g32(x: f32, y: f32) -> f32 = x*y
print(grad(g32)(3, 2), hessian(sq)(3.0), jacobian(sq)(3.0), jvp(g32)(1,2,(f32(3),f32(4))))
print(grad(grad(fn(x) => where(x > -1, sin(x), 0.0)^2))(0.0))
