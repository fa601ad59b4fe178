# Gradients of functions that call themselves, and of strands; what has no slope
fn fact(x: f64, n: int) -> f64 {
  if n == 0 { return 1.0 }
  return fact(x * 0.9, n - 1) * x }
print(grad(fact)(2.0, 3), jvp(fact)(2.0, 3, 1.0), grad(fn(x) => grad(fact)(x, 3))(2.0))
fn tree(x: f64[n], lo: int, hi: int) -> f64 {
  if hi - lo == 1 { return sin(x[lo]) }
  let mid = (lo + hi) // 2
  return tree(x, lo, mid) * 0.5 + tree(x, mid, hi) * tree(x, lo, mid) }
let x = [0.3, 0.7, -0.4, 0.9, 0.25]
fn f(x: f64[n]) -> f64 { var s = 0.0
  for k in 1:n { s += tree(x, 0, k) * x[k] * s + tree(x * x[k], 0, 2) } 
  return s }
print(sum(grad(f)(x) * [1.0, 2.0, 3.0, 4.0, 5.0]) , jvp(f)(x, [1.0, 2.0, 3.0, 4.0, 5.0]).1, jvp(fn(y) => sum(grad(f)(y)))(x, [1.0, 2.0, 3.0, 4.0, 5.0]).1, sum(grad(fn(y) => sum(grad(f)(y)))(x) *  [1.0, 2.0, 3.0, 4.0, 5.0]))
fn spawned(x: f64[n]) -> f64 { 
  var a = 0.0
  var b = 1.0
  spawn { a = sum(x[0:4]^2) }
  spawn { b = prod(x) + x[1] * sin(x[0])^2 }
  sync
  return a * b }
print(sum(grad(spawned)(x) * [1.0, 2.0, 3.0, 4.0, 5.0]), jvp(spawned)(x, [1.0, 2.0, 3.0, 4.0, 5.0]).1)
fn even(x: f64, n: int) -> f64 = if n == 0 { x } else { x * odd(sin(x), n - 1) }
fn odd(x: f64, n: int) -> f64 = if n == 0 { 2 * x } else { even(x * x, n - 1) + x }
print(grad(even)(0.7, 5), jvp(even)(0.7, 5, 1.0).1)
print(grad(fn(v) => norm(v))([0.0, 0.0]), grad(fn(v) => std(v))([1.0, 1.0]), jvp(fn(v) => norm(v))([0.0, 0.0], [1.0, 0.0]), norm([3.0, 4.0]))
print(check_grad(f, x) < 1e-8, check_grad(fn(v) => abs(v[0] - 0.2), [0.2, 1.0]) < 1e-8, check_grad(fn(v) => stop_gradient(v[0]) * v[1], x) > 0.1)
# lgamma and tgamma: digamma at the root of it, left of 0, its own derivative
let psi = [grad(fn(v) => lgamma(v))(x) for x in [1.0, 1.4616321449683623, 3.5, 20.0, -0.5, -1.5]]
let known = [-0.57721566490153286, 0.0, 1.1031566406452432, 2.970523992242149, 0.036489973978576521, 0.70315664064524319]
print(max(abs(psi - known)) < 2e-15, abs(grad(grad(fn(v) => lgamma(v)))(1.0) - 1.6449340668482264) < 1e-14)
print(abs(grad(fn(v) => tgamma(v))(3.5) - 3.6661766922443505) < 1e-13)
