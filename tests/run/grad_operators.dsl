# dslc run -Wno-not-associative grad_operators.dsl: the function matters less than its order
# Derivatives of reductions and scans with operators of the program's own, backward, forward, and through each other.
fn w(n: int) -> f64[n] = [cos(3.0*f64(i)) for i in 0:n]
fn close(a: f64, b: f64) -> bool = abs(a - b) <= 1e-9 * (1 + abs(b))
let x = [0.3, 0.7, -0.4, 0.9, 0.25, 0.6, 1.1, -0.2]
fn both(f: fn(f64[n]) -> f64, x: f64[n]) -> bool {
   let g = jvp(fn(v) => sum(grad(f)(v)*[sin(5.0*i) for i in 0:n]))(x, w(n))
   return close(jvp(f)(x, w(n)).1, sum(grad(f)(x)*w(n))) and close(g.1, sum(grad(fn(v) => jvp(f)(v, w(n)).1)(x) * [sin(5.0*i) for i in 0:n])) }
print(both(fn(v) => reduce(fn(a, b) => a + b + a * b, 0.0, v), x))
print(both(fn(v) => sum(scan(fn(a, b) => a*b + 0.3*a, v)^2), x))
print(both(fn(v) => sum(cumprod(v + 1)), x))
print(both(fn(v) => prod(v), x))
print(both(fn(v) => sum(prod(v[k] + f64(i) for k in 0:i) for i in 0:8), x))
print(both(fn(v) => sum(reduce(fn(a, b) => a + b + a * b, 0.0, v[k] * v[i] for k in 0:i+1) for i in 0:8), x))
kernel km(y: inout f64[n], x: f64[n]) { let i = block.x*4 + thread.x
  y[i] = prod(x[k] + x[i] for k in 0:n)
  y[i] = y[i] * max(x[k] * x[(i + k) % n] for k in 0:n) }
fn f(x: f64[n]) -> f64 { var y = x
 launch km[n//4, 4](y, x)
 return sum(y^2) }
print(both(f, x))
