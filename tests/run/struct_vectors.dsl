# Structs and tuples of floats are added, and multiplied by numbers, part by part
struct P { w: f64[4, 3], b: f64[4] }
struct Q { p: P, t: (f32, f64[n]), s: f64 }
struct G { n: int, x: f64[n] }
struct B { x: f64, y: f32 }
struct A { bs: B[n, m], z: c128, zs: c64[m] }
struct H { h: f16[n], s: bf16, x: f32 }
struct M { q: Q, w: f64[a, b, c] }
struct S { v: f64[3], m: f64 }

fn f(p: P, x: f64[3]) -> f64 = sum(tanh(p.w @ x + p.b))
fn square(g: G) -> f64 = sum(g.x^2)
fn step(p: T, g: T, rate: f64) -> T = p - rate * g
fn seen(k: f64) -> f64 {
    print("once")
    return k
}
fn longer(a: G, b: G) -> G = a + b / 2

# Literals and numbers of other types; a number is computed once
let p = P([f64(i - j) / 4 for i in 0:4, j in 0:3], zeros(f64, 4))
let x = [1.0, 2.0, 3.0]
let g = grad(f, wrt=p)(p, x)
print(p - 0.1 * g)
let q = Q(p, (1, [1.0, 2]), 2)
let k = 3
let a = 0.5
const half = 0.5
print((q + q * 2 - q / 4).t, (-q).t, (k * p).w[1], (a * p).w[3], (half * q).t, (p / k).w[0], seen(2) * (1.0, [3.0]))

# Sizes in fields, arrays of structs, complex numbers, halves, structs in structs, tuples
let sized = G(3, [1.0, 2, 3])
let slope = grad(square)(sized)
print(sized + sized, -0.1 * slope + sized, slope * 2, -slope, longer(sized, slope), (sized * 2).n)
let all = A([B(10 * i + j, f32(2 * i + j)) for i in 0:3, j in 0:2], 1 + 2im, [c64(1im), 2])
print(all - all * 0.5, -(all / 4))
let bs = [B(i, f32(2 * i)) for i in 0:3]
print(bs + bs, 2 * bs, -bs, bs[1] + bs[2] - 3 * bs[0])
let zs = (1 + 1im, [1im, 2])
print(zs * 2im, zs / (1 + 1im), zs - 2 * zs)
let h = H([1, 2], 3, 0.25)
print(h + h, 0.1 * h, -h, f16(0.5) * h.h)
let m = M(q, ones(f64, 2, 2, 1))
print((m + m).w, (m - 0.5 * m).q.s, (m - 0.5 * m).q.t)
print((1.0, 2.0) + (0.5, 3.0), -(1.0, [2.0]), 2 * (1.0, [2.0]), (1, 2) + (0.5, 0.25) * 2)
print(step(p, g, 0.1).b, step(sized, slope, 1).x, step(1.0, 2.0, 0.5), step((1.0, 2.0), (1.0, 1.0), 0.5))

# Assignments
var v = p
for turn in 0:3 { v -= 0.1 * grad(f, wrt=p)(v, x) }
v *= 0.5
v /= 2
v += p
print(v)
var some = bs
some[1] += bs[2]
some[1:] *= 2
var inside = m
inside.q.p -= p
inside.q.t *= 2
print(some, inside.q.p.w[1], inside.q.t)
var pair = (1.0, [2.0, 3.0])
pair -= 0.5 * pair
print(pair)

# Kernels and parallel loops
fn twice(s: S) -> S = s * 3 - s / 1

kernel moved(o: inout f64[n], bs: inout B[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        let s = S([1.0, 2.0, f64(i)], 1)
        var t = -twice(s) / 3
        t += s
        o[i] = sum(t.v) + t.m
        bs[i] -= 0.5 * B(1, f32(i))
        o[i] += ((1.0, 2.0) + (bs[i].x, 1)).0
    }
}
var o = zeros(f64, 3)
launch moved[1, 8](o, some)
print(o, some)
parallel for i in 0:3 {
    some[i] += 2 * some[i]
    let s = S([1.0, 2.0, some[i].x], 2) * 2.0
    o[i] -= s.v[2]
}
print(o, some)

# Derivatives
fn loss(p: S, k: int) -> f64 {
    var q = p
    for i in 0:k {
        q -= 0.1 * (q * q.m + 2.0 * p)
        q *= 0.9
    }
    return sum(q.v^3) + q.m
}
let s = S([0.5, 1.0, -0.25], 0.75)
let (value, along) = jvp(loss)(s, 3, s)
let back = grad(loss)(s, 3)
print(value, abs(along - sum(back.v * s.v) - back.m * s.m) < 1e-14)
let e = 1e-6
let unit = S([0.0, 1, 0], 0)
print(abs((loss(s + e * unit, 3) - loss(s - e * unit, 3)) / (2 * e) - back.v[1]) < 1e-8)
print(vjp(fn(p) => 2 * p - p / 4)(s, s), jvp(fn(p) => -p + p * 3)(s, s))
print(jvp(fn(p, a) => a * p)(s, 2.0, (s, 1.0)).1, grad(fn(p, a) => sum((p * a).v) + (p / a).m)(s, 2.0))
let second = grad(fn(p) => sum((grad(loss)(p, 2) * 2).v))(s)
print(abs(second.v[1] - hvp(loss, wrt=p)(s, 2, S([2.0, 2, 2], 0)).v[1]) < 1e-14)
