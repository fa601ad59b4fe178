fn axpy(a: T, x: T[n], y: T[n]) -> T[n] = a*x + y
fn pick(c: bool, a: T, b: T) -> T { if c { return a }
    return b }
fn pair(a: T, b: U) -> (T, U) = (a, b)
fn swap(p: (T, U)) -> (U, T) = (p.1, p.0)
fn total(x: T[n]) -> T = sum(x)
fn total(x: T[n, m]) -> T = sum(x) * 10
fn dist(p: P2, q: P2) -> f64 = hypot(p.x - q.x, p.y - q.y)
struct P2 { x: f64
    y: f64 }
struct Cloud { n: int
    x: f64[n]
    w: f64[n, m] }
fn mass(c: Cloud) -> f64 = sum(c.x) + f64(c.n) + sum(c.w)
fn grow(c: Cloud) -> Cloud { 
    var d = c
    d.x[0] = 100.0
    d.x += 1.0
    return d }
fn norm2(x: T[..]) -> f64 = sqrt(f64(sum(x^2)))
print(axpy(2, [1.0, 2.0], [3.0, 4.0]), axpy(2, [1, 2], [3, 4]), axpy(2, f32([1, 2]), f32([3, 4])), axpy(0.5, [1, 2], [3, 4]))
print(pick(true, 1, 2.5), pick(false, [1.0, 2.0], [3.0, 4.0]), pick(true, (1, 2), (3, 4)))
print(pair(1, [2.0]), swap(pair(1, 2.5)), swap((true, 3)))
print(total([1, 2]), total([[1, 2], [3, 4]]), total([1.5]))
let ps = [P2(0.0, 0.0), P2(3.0, 4.0)]
print(dist(ps[0], ps[1]), ps.x, ps[1].y, sum(ps.y), len(ps))
var qs = zeros(P2, 3)
qs[1] = P2(y=2.0, x=1.0)
qs[2].x = 7.0
print(qs, qs[1:].x)
let c = Cloud(2, [1.0, 2.0], [[1.0], [2.0]])
print(mass(c), mass(grow(c)), c.n, grow(c).x, c.w[1])
print(norm2([3.0, 4.0]), norm2([[3, 4]]))
let (a, b) = swap((1, 2.0))
var (u, v) = (1, 2)
(u, v) = (v, u + 10)
print(a, b, u, v)
fn fact(n: int) -> int = if n <= 1 { 1 } else { n * fact(n - 1) }
fn even(n: int) -> bool { if n == 0 { return true }
    return odd(n - 1) }
fn odd(n: int) -> bool { if n == 0 { return false }
    return even(n - 1) }
print(fact(10), even(10), odd(7))
fn filter_pos(x: f64[n]) -> (f64[k], int[k]) {
    var v = zeros(f64, n)
    var i = zeros(int, n)
    var c = 0
    for j in 0:n { if x[j] > 0 { v[c] = x[j]
            i[c] = j
            c += 1 } }
    return (v[0:c], i[0:c])
}
let (val, idx) = filter_pos([1.0, -1.0, 5.0])
print(val, idx, len(val) == len(idx), val * f64(idx))
fn stencil(x: f64[n]) -> f64[n - 2] = [x[i] - 2*x[i + 1] + x[i + 2] for i in 0:n - 2]
let s = stencil([1.0, 4.0, 9.0, 16.0])
let d: f64[2] = s
print(d, stencil(stencil([1.0, 4.0, 9.0, 16.0, 25.0])))
let y = if len(d) > 1 { let q = d * 2
    q + 1 } else { d }
print(y)
kernel apply(f: fn(f64) -> f64, y: out f64[n], x: f64[n]) { let i = thread.x
    if i < n { y[i] = f(x[i]) } }
var out1 = zeros(f64, 3)
let k3 = 3.0
launch apply[1, 4](fn(v) => v * k3, out1, [1.0, 2.0, 3.0])
print(out1)
kernel conv(y: out f64[n], x: f64[n + 2*r], w: f64[2*r + 1]) { let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = sum(w[k] * x[i + k] for k in 0:2*r + 1) } }
var o2 = zeros(f64, 3)
launch conv[1, 32](o2, [1.0, 2.0, 3.0, 4.0, 5.0], [1.0, 1.0, 1.0])
print(o2)
