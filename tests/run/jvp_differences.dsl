# Forward derivatives beside differences: what gradients are tried on, and what has a forward derivative only.
fn check(name: int, g: (f64, f64), d: f64[n]) { print(name, abs(g.1 - sum(d*w(n))) / (1 + max(abs(d))) < 1e-7) }
fn diff(f: fn(f64[n]) -> f64, x: f64[n]) -> f64[n] {
    var d = zeros(f64, n)
    for i in 0:n {
        var a = x
        var b = x
        a[i] += 1e-5
        b[i] -= 1e-5
        d[i] = (f(a) - f(b)) / 2e-5
    }
    return d
}
let x = [0.3, 0.7, -0.4, 0.9, 0.25, 0.6]
fn f1(x: f64[n]) -> f64 {
    var y = zeros(f64, n)
    for i in 1:n { y[i] = 0.5 * y[i - 1] + sin(x[i]) * y[i-1]^2 + x[i] }
    return sum(y)
}
check(1, jvp(f1)(x, w(6)), diff(f1, x))
fn step(y: f64[n]) -> f64[n] = [if i > 0 and i < n - 1 { y[i] + 0.1 * (y[i-1] - 2*y[i] + y[i+1]) + 0.01*y[i]^2 } else { y[i] } for i in 0:n]
fn f2(x: f64[n]) -> f64 {
    var y = x
    for t in 0:5 { y = step(y) }
    return sum(y^2)
}
check(2, jvp(f2)(x, w(6)), diff(f2, x))
fn f3(x: f64[n]) -> f64 {
    var s = 0.0
    for i in 0:n { for k in 0:i { s += x[i] * x[k] * sin(s) } }
    return s
}
check(3, jvp(f3)(x, w(6)), diff(f3, x))
fn f4(x: f64[n]) -> f64 {
    var s = 1.0
    for i in 0:n { if x[i] > 0.5 { s *= x[i] } else { s += x[i]^2 } }
    return s
}
check(4, jvp(f4)(x, w(6)), diff(f4, x))
fn f5(x: f64[n]) -> f64 = sum(max(x[i]*x[j] for j in 0:n) for i in 0:n)
check(5, jvp(f5)(x, w(6)), diff(f5, x))
fn f6(x: f64[n]) -> f64 {
    let a = [x[i]*x[j] + (if i == j { 3.0 } else { 0.0 }) for i in 0:n, j in 0:n]
    return sum(solve(a, x) * x) + log(abs(sum(inv(a))))
}
check(6, jvp(f6)(x, w(6)), diff(f6, x))
fn f7(x: f64[n]) -> f64 {
    var y = x
    y[1:4] = y[0:3] * y[2:5]
    y[::-1] = y * 2
    return sum(y^3) + y[2]
}
check(7, jvp(f7)(x, w(6)), diff(f7, x))
fn f8(x: f64[n]) -> f64 = sum(prod(x[k] + f64(i) for k in 0:i) for i in 0:n)
check(8, jvp(f8)(x, w(6)), diff(f8, x))
fn soft(x: f64[n]) -> f64 { let e = exp(x - max(x))
  let p = e / sum(e)
  return -log(p[2]) + mean(p * log(p)) }
check(9, jvp(soft)(x, w(6)), diff(soft, x))
fn f10(x: f64[n]) -> f64 { let m = reshape(x, 2, n // 2)
  return sum((m.T @ m)^2) + sum(m, axis=0)[1] + sum(max(m, axis=1)) }
check(10, jvp(f10)(x, w(6)), diff(f10, x))
fn f11(x: f64[n]) -> f64 = sum(where(x > 0, sqrt(x), 0.0)) + norm(x)
check(11, jvp(f11)(x, w(6)), diff(f11, x))
fn f12(x: f64[n]) -> f64 { 
   var s = 1.0
   for k in n-1:-1:-2 { s = s * x[k] + x[0] } 
   return s }
check(12, jvp(f12)(x, w(6)), diff(f12, x))
fn f13(x: f64[n]) -> f64 { 
   var y = zeros(f64, n, 3)
   for t in 0:3 { for i in 0:n { y[i, t] = x[i] * (if t > 0 { y[i, t-1] } else { 1.0 }) + x[(i+1) % n] } }
   return sum(y^2) }
check(13, jvp(f13)(x, w(6)), diff(f13, x))
fn f14(x: f64[n]) -> f64 { 
   var s = 0.1
   var k = 0
   while s < 3.0 { 
       s = s + x[k % n]^2 + 0.3*s*x[0]
       k += 1 
       if k > 40 { break } }
   return s * x[1] }
check(14, jvp(f14)(x, w(6)), diff(f14, x))
fn newton(a: f64) -> f64 { var y = a
  for i in 0:20 { 
    let next = 0.5*(y + a/y)
    if abs(next - y) < 1e-14 { return next }
    y = next }
  return y }
check(15, jvp(fn(v) => sum(newton(v[i]^2 + 1) for i in 0:3) )(x, w(6)), diff(fn(v) => sum(newton(v[i]^2+1) for i in 0:3), x))
fn ff16(x: f64[n]) -> f64 { var s = 0.0
  for i in 0:n { var t = x[i]
    var k = 0
    while t < 2.0 { t = t * (1.5 + 0.1*x[k % n]) + 0.3
      k += 1 }
    s += t * s + t }
  return s }
check(16, jvp(ff16)(x, w(6)), diff(ff16, x))
fn spd(x: f64[n]) -> f64[n, n] = [x[i]*x[j] + (if i == j { 3.0 + x[i] } else { 0.0 }) for i in 0:n, j in 0:n]
fn f17(x: f64[n]) -> f64 {
    let l = cholesky(spd(x))
    let y = trisolve(l, x)
    return sum(y^2) + sum(l * l) + sum(trisolve(l, spd(x))[1])
}
check(17, jvp(f17)(x, w(6)), diff(f17, x))
fn w(n: int) -> f64[n] = [cos(3.0*f64(i)) for i in 0:n]
fn close(a: f64, b: f64) -> bool = abs(a - b) <= 1e-6 * (1 + abs(b))
let z = [0.3, 0.7, -0.4, 0.9, 0.25, 0.6, 1.1, -0.2]
fn along(f: fn(f64[n]) -> f64, x: f64[n], v: f64[n]) -> f64 = (f(x + 1e-5 * v) - f(x - 1e-5 * v)) / 2e-5
kernel halves(y: out f64[m], x: f64[n]) {
    shared s: f64[4]
    let t = thread.x
    s[t] = sin(x[block.x * 4 + t])
    barrier
    var k = 2
    while k > 0 { 
       if t < k { s[t] = s[t] * s[t + k] + s[t+k] }
       barrier
       k = k // 2 }
    if t == 0 { y[block.x] = s[0] } }
fn tree(x: f64[n]) -> f64 { var y = zeros(f64, n // 4)
    launch halves[n // 4, 4](y, x)
    return sum(y^2) }
print(close(jvp(tree)(z, w(8)).1, along(tree, z, w(8))))
fn hist(x: f64[n]) -> f64 { var y = zeros(f64, 3)
    parallel for i in 0:n { atomic y[i % 3] += x[i]^3 }
    return sum(y^2) }
print(close(jvp(hist)(z, w(8)).1, along(hist, z, w(8))))
fn rec(x: f64[n], i: int, s: f64) -> f64 { if i == n { return s }
   return rec(x, i + 1, s * x[i] + sin(s)) + 0.1*s }
fn recs(x: f64[n]) -> f64 = rec(x, 0, 0.5)
print(close(jvp(recs)(z, w(8)).1, along(recs, z, w(8))))
fn spawned(x: f64[n]) -> f64 { var a = 0.0
  var b = 1.0
  spawn { a = sum(x[0:4]^2) }
  spawn { b = prod(x) + x[1] }
  sync
  return a * b }
fn op(a: f64, b: f64) -> f64 = a * b + 0.5 * a + 0.5*b
fn user(x: f64[n]) -> f64 = reduce(fn(a, b) => max(a, b), -1000.0, x * x) + reduce(fn(a, b) => a * b, 1.0, x) + sum(scan(fn(a,b) => a*b, x)) + prod(x) + max(x) - min(x^2)
print(close(jvp(user)(z, w(8)).1, along(user, z, w(8))))
fn ei(x: f64[n]) -> f64 { let a = [x[i]*x[j] + (if i == j { f64(i) } else { 0.1*(x[i]+x[j]) }) for i in 0:4, j in 0:4]
   let (e, v) = eigh(a)
   return sum(e^2 * [1.0,2.0,3.0,4.0]) + sum(v[:, 1]^4) + det(a) + det([[x[0], x[1]],[2*x[0], 2*x[1]]]) }
print(close(jvp(ei)(z, w(8)).1, along(ei, z, w(8))), close(sum(grad(ei)(z)*w(8)), along(ei, z, w(8))))
print(grad(fn(a: f64[n,n]) => det(a))([[1.0,2.0],[2.0,4.0]]), jvp(fn(a: f64[n,n]) => det(a))([[1.0,2.0],[2.0,4.0]], [[1.0,0.0],[0.0,0.0]]))
print(close(jvp(spawned)(z, w(8)).1, along(spawned, z, w(8))))
