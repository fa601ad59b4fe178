# wrt of a derivative names the parameters of the function; functions may be called as words of C are
export fn double(x: f64) -> f64 = grad(fn(y: f64) => y^2)(x)
fn cost(p: f64[n], c: f64[k], s: f64) -> f64 = s * sum((p[i] * c[j])^3 for i in 0:n, j in 0:k)
let p = [1.0, 2.0]
let c = [0.5, 1.5, -1.0]
print(double(1.5))
print(jvp(grad(cost, wrt=c), wrt=c)(p, c, 2.0, ones(f64, 3)))
print(jvp(grad(cost, wrt=c), wrt=(p, s))(p, c, 2.0, (ones(f64, 2), 1.0)))
print(vjp(grad(cost, wrt=c), wrt=s)(p, c, 2.0, ones(f64, 3)))
print(jacobian(grad(cost, wrt=c), wrt=c)(p, c, 2.0))
print(hessian(cost, wrt=p)(p, c, 2.0), hvp(cost, wrt=p)(p, c, 2.0, ones(f64, 2)))
print(grad(grad(fn(a: f64, b: f64) => a^3 * b^2, wrt=a), wrt=b)(2.0, 3.0))
print(grad(grad(grad(fn(a: f64, b: f64) => a^3 * b^2, wrt=a), wrt=b), wrt=a)(2.0, 3.0))
