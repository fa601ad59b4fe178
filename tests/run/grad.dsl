# Gradients of functions of values, where what they are is known.
fn sq(x: f64) -> f64 = x * x
print(grad(sq)(3.0), value_and_grad(sq)(2.0))
print(grad(fn(x) => sin(x)*exp(x))(0.5), cos(0.5)*exp(0.5)+sin(0.5)*exp(0.5))
print(grad(grad(fn(x) => x^4))(3.0))
fn energy(x: f64[n]) -> f64 = sum(x^2)
print(grad(energy)([1.0, 2.0, 3.0]))
fn dots(x: f64[n], y: f64[n]) -> f64 = sum(x[i]*y[i] for i in 0:n)
print(grad(dots)([1.0, 2.0], [3.0, 4.0]), grad(dots, wrt=y)([1.0,2.0],[3.0,4.0]))
fn stencil(x: f64[n]) -> f64 { let y = [x[i] - 2*x[i+1] + x[i+2] for i in 0:n-2]
 return sum(y^2) }
print(grad(stencil)([1.0, 3.0, 2.0, 5.0, 4.0]))
fn relu(x: f64) -> f64 { if x > 0 { return x } 
 return 0.1*x }
print(grad(relu)(2.0), grad(relu)(-2.0))
fn power(x: f64, n: int) -> f64 { var r = 1.0
 for i in 0:n { r *= x } 
 return r }
print(grad(power)(2.0, 5))
fn mm(a: f64[n,n], x: f64[n]) -> f64 = sum((a @ x)^2)
print(grad(mm)([[1.0,2.0],[3.0,4.0]], [1.0, 1.0]))
fn gather(x: f64[n], k: int[m]) -> f64 = sum(x[k[i]]^2 * f64(i) for i in 0:m)
print(grad(gather)([1.0,2.0,3.0], [0,2,2,1]))
print(grad(fn(v) => max(v))([1.0, 5.0, 2.0]), grad(fn(v) => prod(v))([2.0, 0.0, 3.0]))
fn lse(x: f64[n]) -> f64 { let m = max(x) 
 return m + log(sum(exp(x - m))) }
print(grad(lse)([1.0,2.0,3.0]))
print(grad(fn(v) => sum(cumsum(v)^2))([1.0,2.0,3.0]))

# perturbations stay apart; the value comes with the gradient; ints do not vary
print(grad(fn(x) => x * grad(fn(y) => x * y)(1.0))(4.0), grad(fn(x) => x * grad(fn(y) => x + y)(1.0))(1.0))
fn scaled(x: f64[n], k: int, a: f64) -> f64 = a * sum(x) * k
let (v, d) = value_and_grad(scaled)([1.0, 2.0], 3, 0.5)
print(v, d)
print(grad(scaled, wrt=a)([1.0, 2.0], 3, 0.5), grad(scaled, wrt=(a, x))([1.0, 2.0], 3, 0.5))
struct Body { mass: f64, x: f64, id: int }
fn force(b: Body, x: f64) -> f64 = b.mass / (b.x - x)^2
print(grad(force)(Body(mass=2, x=3, id=7), 1.0))
# edges: what is not chosen gives no NaN
print(grad(fn(x) => sum(where(x > 0, sqrt(x), 0.0)))([4.0, 0.0, -1.0]), grad(fn(x) => sum(where(x == 0, 0.0, 1/x)))([0.0, 2.0]))
print(grad(fn(x, y) => x^y)(0.0, 2.0), grad(fn(x) => abs(x))(0.0), grad(fn(x, y) => hypot(x, y))(0.0, 0.0))
print(grad(fn(x, y) => max(x, y))(1.0, 1.0), grad(fn(x: f32) => x*x)(f32(3)))
print(grad(fn(v) => min(v) + max(v))([2.0, 1.0, 3.0, 1.0, 3.0]), grad(fn(v) => prod(v))([0.0, 0.0, 3.0]))
print(grad(fn(x) => x * stop_gradient(x^2))(3.0), grad(fn(v) => sum(v * stop_gradient(exp(v))))([0.0, 1.0]), stop_gradient((1.0, 2)))
test "gradients in tests" { assert grad(sq)(5.0) == 10 }
fn second(x: f64) -> f64 = grad(grad(grad(fn(y) => y^5 / 20)))(x)
print(second(2.0))
fn twice(x: f64) -> f64 = prod([x, x + 1])
print(grad(grad(twice))(0.0), grad(grad(twice))(1.0))
fn thrice(x: f64) -> f64 = prod([x, x - 1, x + 1])
print(grad(grad(thrice))(1.0), grad(grad(grad(thrice)))(1.0))
fn hv(x: f64[n], v: f64[n]) -> f64[n] = grad(fn(y: f64[n]) => sum(grad(fn(z) => prod(z))(y) * v))(x)
print(hv([0.0, 2.0, 3.0], [0.0, 1.0, 0.0]), hv([0.0, 0.0, 3.0], [1.0, 0.0, 0.0]))
