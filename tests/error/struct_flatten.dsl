# Structs where arrays are asked for
struct P { w: f64[4, 3], b: f64[4] }
struct I { id: int }
fn f(p: P) -> f64 = sum(p.w) + sum(p.b^2)
fn moved(p: P, x: f64) -> f64[4] = p.b * x
let p = P(randn(1, 4, 3), zeros(f64, 4))
print(adam(f, p, 0.01, 100))
print(hessian(f)(p))
print(jacobian(moved, wrt=p)(p, 2.0))
print(norm(p), sum(p), exp(p))
let rows = [grad(f)(P(p.w, b)) for b in zeros(f64, 3, 4)]
print(flatten(I(1)), unflatten([1.0], I(1)), unflatten([1], p), unflatten(1.0, p))
print(unflatten([1.0, 2.0], p), unflatten([1, 2], [[1]]), flatten(p, p), unflatten([1.0]))
print(flatten("a"), p == p)
