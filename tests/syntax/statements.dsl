let x = 1
let y: f64 = 2
let (a, b) = f(x)
let (c, d): (f64, int) = g(x)
let h: f64[ny, nx] = load("h.npy")
var z = 3
var w: f64[4]
const k = 5
x = 4
(a, b) = (b, a)
(p.x, q[0]) = (1, 2)
z += 1; z -= 1; z *= 2; z /= 2; z //= 2; z %= 2; z @= m; z ^= 2; z &= 1; z |= 1; z <<= 1; z >>= 1
if a { b } else if c { d } else { e }
if a { }
while x > 0 { x -= 1; if x == 3 { break } else { continue } }
for i in 0:10 { print(i) }
for i in n - 1:-1:-1 { print(i) }
for t in progress(0:n) { step(t) }
for t in progress(0:n:2) { step(t) }
for progress in 0:3 { progress }
parallel for i in 0:n { x[i] = i }
parallel for i in 0:n, j in 0:m:2 { x[i, j] = i }
spawn { a = f(1) }
spawn a = f(1)
spawn b += f(1)
spawn f(1)
spawn launch k[1, 2](a)
sync
{ let inner = 1
  { } }
assert x > 0
assert x > 0, "positive"
return
return (1, 2)
