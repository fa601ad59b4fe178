# Gradients beside differences: loops, branches, reductions, slices, linear algebra.
fn check(name: int, g: f64[n], d: f64[n]) { print(name, max(abs(g - d)) / (1 + max(abs(d))) < 1e-8) }
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
check(1, grad(f1)(x), diff(f1, x))
fn step(y: f64[n]) -> f64[n] = [if i > 0 and i < n - 1 { y[i] + 0.1 * (y[i-1] - 2*y[i] + y[i+1]) + 0.01*y[i]^2 } else { y[i] } for i in 0:n]
fn f2(x: f64[n]) -> f64 {
    var y = x
    for t in 0:5 { y = step(y) }
    return sum(y^2)
}
check(2, grad(f2)(x), diff(f2, x))
fn f3(x: f64[n]) -> f64 {
    var s = 0.0
    for i in 0:n { for k in 0:i { s += x[i] * x[k] * sin(s) } }
    return s
}
check(3, grad(f3)(x), diff(f3, x))
fn f4(x: f64[n]) -> f64 {
    var s = 1.0
    for i in 0:n { if x[i] > 0.5 { s *= x[i] } else { s += x[i]^2 } }
    return s
}
check(4, grad(f4)(x), diff(f4, x))
fn f5(x: f64[n]) -> f64 = sum(max(x[i]*x[j] for j in 0:n) for i in 0:n)
check(5, grad(f5)(x), diff(f5, x))
fn f6(x: f64[n]) -> f64 {
    let a = [x[i]*x[j] + (if i == j { 3.0 } else { 0.0 }) for i in 0:n, j in 0:n]
    return sum(solve(a, x) * x) + log(abs(sum(inv(a))))
}
check(6, grad(f6)(x), diff(f6, x))
fn f7(x: f64[n]) -> f64 {
    var y = x
    y[1:4] = y[0:3] * y[2:5]
    y[::-1] = y * 2
    return sum(y^3) + y[2]
}
check(7, grad(f7)(x), diff(f7, x))
fn f8(x: f64[n]) -> f64 = sum(prod(x[k] + f64(i) for k in 0:i) for i in 0:n)
check(8, grad(f8)(x), diff(f8, x))
fn soft(x: f64[n]) -> f64 { let e = exp(x - max(x))
  let p = e / sum(e)
  return -log(p[2]) + mean(p * log(p)) }
check(9, grad(soft)(x), diff(soft, x))
fn f10(x: f64[n]) -> f64 { let m = reshape(x, 2, n // 2)
  return sum((m.T @ m)^2) + sum(m, axis=0)[1] + sum(max(m, axis=1)) }
check(10, grad(f10)(x), diff(f10, x))
fn f11(x: f64[n]) -> f64 = sum(where(x > 0, sqrt(x), 0.0)) + norm(x)
check(11, grad(f11)(x), diff(f11, x))
fn f12(x: f64[n]) -> f64 { 
   var s = 1.0
   for k in n-1:-1:-2 { s = s * x[k] + x[0] } 
   return s }
check(12, grad(f12)(x), diff(f12, x))
fn f13(x: f64[n]) -> f64 { 
   var y = zeros(f64, n, 3)
   for t in 0:3 { for i in 0:n { y[i, t] = x[i] * (if t > 0 { y[i, t-1] } else { 1.0 }) + x[(i+1) % n] } }
   return sum(y^2) }
check(13, grad(f13)(x), diff(f13, x))
fn f14(x: f64[n]) -> f64 { 
   var s = 0.1
   var k = 0
   while s < 3.0 { 
       s = s + x[k % n]^2 + 0.3*s*x[0]
       k += 1 
       if k > 40 { break } }
   return s * x[1] }
check(14, grad(f14)(x), diff(f14, x))
fn newton(a: f64) -> f64 { var y = a
  for i in 0:20 { 
    let next = 0.5*(y + a/y)
    if abs(next - y) < 1e-14 { return next }
    y = next }
  return y }
check(15, grad(fn(v) => sum(newton(v[i]^2 + 1) for i in 0:3) )(x), diff(fn(v) => sum(newton(v[i]^2+1) for i in 0:3), x))
fn ff16(x: f64[n]) -> f64 { var s = 0.0
  for i in 0:n { var t = x[i]
    var k = 0
    while t < 2.0 { t = t * (1.5 + 0.1*x[k % n]) + 0.3
      k += 1 }
    s += t * s + t }
  return s }
check(16, grad(ff16)(x), diff(ff16, x))
fn spd(x: f64[n]) -> f64[n, n] = [x[i]*x[j] + (if i == j { 3.0 + x[i] } else { 0.0 }) for i in 0:n, j in 0:n]
fn f17(x: f64[n]) -> f64 {
    let l = cholesky(spd(x))
    let y = trisolve(l, x)
    return sum(y^2) + sum(l * l) + sum(trisolve(l, spd(x))[1])
}
check(17, grad(f17)(x), diff(f17, x))
