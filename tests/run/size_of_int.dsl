# Quotients, remainders and least multiples of ints that are no sizes: of any sign, and greater than any size may be
kernel k(y: inout f64[n], p: int) {
    let i = block.x * blockdim.x + thread.x
    let m = ceildiv(p, 4)
    if i < n { y[i] += f64(m) }
}
kernel k2(y: inout f64[n], p: int) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] += f64(p // 4 + p % 3 + min(p, 3) + max(p, -2)) }
}
kernel k3(y: inout f64[n], p: int) {
    let i = block.x * blockdim.x + thread.x
    if i < n { for c in 0:ceildiv(p, 4) { y[i] += 1 }
        for c in 0:p-1 { y[i] += 10 } }
}
fn go(q: int) -> f64[10] {
  var y = zeros(f64, 10)
  launch k[1, 16](y, q)
  return y
}
fn go2(q: int) -> f64[10] {
  var y = zeros(f64, 10)
  launch k2[1, 16](y, q)
  return y
}
fn go3(q: int) -> f64[10] {
  var y = zeros(f64, 10)
  launch k3[1, 16](y, q)
  return y
}
print(go(-10))
print(go2(-10))
print(go3(-10))
let q = int(-10 * (1.0 + uniform(1, 1)))
var y = zeros(f64, 10)
launch k[1, 16](y, q)
launch k2[1, 16](y, 1 - q)
launch k2[1, 16](y, q - 1)
launch k3[1, 16](y, q + 1)
print(y)
var r = 0
for t in 0:3 {
   r = r * 3 - t - int(uniform(1,t))
   launch k3[1, 16](y, r)
   launch k[1, 16](y, r)
}
print(y)
parallel for i in 0:10 { y[i] = f64(ceildiv(q, 3)) }
print(y)
print([ceildiv(q + 0 * i, 3) for i in 0:3], ceildiv(q, 3), q // 4, sum(1 for k in 0:ceildiv(q, 5)))
# sizes made of such ints
kernel part(y: inout f64[n], x: f64[m], p: int) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] += sum(x[p:p + 2]) }
    if i < n and p <= 3 { y[i] += sum(x[p:]) }
    if i < n and p > 1 { y[i] += sum(x[0:p - 1]) }
    for a in 0:2 { if i < n and p > 1 { for v in x[0:p - 1] { y[i] += v } } }
    for a in 0:2 { if i < n and p > 1 { for v in x[0:ceildiv(p, 2)] { y[i] += v } } }
    if i < n and p > 1 { for v in x[0:ceildiv(p, 2)] { y[i] += v } }
}
fn parts(q: int, x: f64[m]) -> f64[10] {
  var y = zeros(f64, 10)
  for t in 0:2 { launch part[1, 16](y, x, q)
    launch part[1, 16](y, x, q + t) }
  launch part[1, 16](y, x, ceildiv(q, 2))
  return y
}
print(parts(3, linspace(0.0, 7.0, 8)))
let x = linspace(0.0, 7.0, 8)
let few = int(2 + uniform(1, 1))
y = zeros(f64, 10)
launch part[1, 16](y, x, few)
if few > 1 { launch part[1, 16](y, x, few + 1) }
print(y, zeros(f64, ceildiv(few, 2)))
parallel for i in 0:10 { let r = i // 3; y[i] = sum(x[0:ceildiv(r, 2)]) + sum(x[r:]) + sum(x[0:ceildiv(few, 2)]) }
print(y)
fn big(q: int) -> int = ceildiv(q, 3)
fn big2(q: int) -> int { return q // 4 + q % 10 }
print(big(10^18), big(-10^18), big2(10^18), big2(9223372036854775807), big(9223372036854775807), big(-9223372036854775807))
fn p2(q: int) -> int = (q + 3) // 4 * 2
print(p2(10^18))
fn p3(q: int) -> int = sum(1 for k in 0:min(q // 10^17, 20))
print(p3(10^18), p3(-10^18))
kernel kk(y: inout int[n], p: int) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = p // 4 + ceildiv(p, 10) }
}
fn go4(q: int) -> int[3] {
  var y = zeros(int, 3)
  launch kk[1, 16](y, q)
  return y
}
print(go4(10^18))
