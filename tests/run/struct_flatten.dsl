# All floats of a struct or tuple as a vector, and back
struct P { w: f64[4, 3], b: f64[n], s: f64, t: f64 }
struct Q { p: P, t: (f32, f64[n]), s: f64, name: str, k: int, ok: bool }
struct G { n: int, x: f64[n] }
struct B { x: f64, y: f32, id: int }
struct A { bs: B[n, m], z: c128, zs: c64[m] }
struct H { h: f16[n], s: bf16 }
struct F { a: f32[n], b: f32, c: f32[n, 2, 2], ids: int[n] }
struct M { a: f64[a, b, c], w: (f64[n], f64) }

let p = P([f64(3 * i + j) for i in 0:4, j in 0:3], [12.0, 13], 14, 15)
print(flatten(p))
print(unflatten(2 * flatten(p), p))
let q = Q(p, (16, [17.0, 18]), 19, "hello", 7, true)
print(flatten(q))
print(unflatten(2 * flatten(q), q))
let g = G(3, [1.0, 2, 3])
print(unflatten(flatten(g) - 1, g), unflatten([1.0, 2.0, 3.0], grad(fn(g) => sum(g.x^2))(g)))
let a = A([B(10 * i + j, f32(2 * i + j), i) for i in 0:3, j in 0:2], 1 + 2im, [c64(1im), 2])
print(flatten(a))
print(unflatten(-flatten(a), a))
let h = H([1, 2], 3)
print(flatten(h), unflatten(flatten(h), h), unflatten([0.25, 0.5, 0.75], h))
let f = F([f32(1), 2], 3, ones(f32, 2, 2, 2), [5, 6])
print(flatten(f), unflatten([f64(i) for i in 0:11], f))
let m = M(ones(f64, 2, 1, 2), ([1.0], 2))
print(flatten(m), unflatten(flatten(m) * 3, m))
let none = P(zeros(f64, 4, 3), zeros(f64, 0), 1, 2)
print(size(flatten(none)), unflatten(flatten(none), none).b)

# Arrays and numbers
print(flatten([[1, 2], [3, 4]]), flatten(3.0), flatten([1.0, 2]), flatten((1.0, [2.0, 3.0])), flatten([[[[[1, 2]]]]]))
print(unflatten([1, 2, 3, 4], [[0, 0], [0, 0]]), unflatten([2.0], 1.0), unflatten([1.0, 2, 3, 4], ones(f32, 2, 2)))
print(flatten([[B(1, 2, 3)], [B(4, 5, 6)]]), unflatten([B(1, 2, 3), B(4, 5, 6)], [[B(0, 0, 0), B(0, 0, 0)]]))
print(flatten([[1im, 2]]), flatten(1 + 2im))

# For functions of vectors
fn loss(p: P, x: f64[3]) -> f64 = sum(tanh(p.w @ x / 40 + p.b[0] * p.t / 100)^2) + (p.s - 3)^2 + sum(p.b^2)
let x = [0.1, 0.2, 0.3]
print(max(abs(grad(fn(v) => loss(unflatten(v, p), x))(flatten(p)) - flatten(grad(loss, wrt=p)(p, x)))) < 1e-12)
let best = unflatten(lbfgs(fn(v) => loss(unflatten(v, p), x), flatten(p)), p)
print(loss(best, x) < 1e-12, abs(best.s - 3) < 1e-6)
let walked = unflatten(adam(fn(v) => loss(unflatten(v, p), x), flatten(p), rate=0.1, steps=50), p)
print(loss(walked, x) < loss(p, x))
print(check_grad(fn(v) => loss(unflatten(v, p), x), flatten(p)) < 1e-6)
let second = hessian(fn(v) => loss(unflatten(v, p), x))(flatten(p))
print(shape(second), second[14, 14], norm(second[12]) == norm(second[:, 12]))
let fitted = levenberg_marquardt(fn(v) => unflatten(v, m).w.0 + flatten(unflatten(v, m).a)[0:1] - 3, flatten(m))
print(abs(unflatten(fitted, m).w.0[0] + fitted[0] - 3) < 1e-6)
print(dot(flatten(p), flatten(p)), norm(flatten(p)), jvp(fn(p) => flatten(p) * 2)(p, p).1[4:8], vjp(fn(v) => unflatten(v, m))(flatten(m), m).1)

# In functions, of any type
fn next(p: T) -> T = unflatten(flatten(p) + 1, p)
fn far(p: P, steps: int) -> f64[k] {
    var v = flatten(p)
    for i in 0:steps { v -= 0.5 * flatten(unflatten(v, p)) }
    return v
}
print(next(g), next(p).b, next(1.0), next((1.0, [[2.0]])), far(p, 2)[13])
let xs = [[1.0, 2, 3], [4.0, 5, 6]]
let rows = [flatten(grad(loss, wrt=p)(p, x)) for x in xs]
print(shape(rows), unflatten(mean(rows, axis=0), p).s)

# A field that says a size says it in derivatives, too.
struct Sized { n: int, x: f64[n], k: int }
struct Held { s: Sized, w: f64 }
fn weighed(s: Sized) -> f64 = sum(s.x^2) * s.k
fn held(h: Held) -> f64 = h.w * weighed(h.s)
let sized = Sized(3, [1.0, 2.0, 3.0], 2)
print(grad(weighed)(sized), grad(held)(Held(sized, 0.5)))
