# What is not chosen has derivative 0, never NaN: by where, if, loops, launches; each beside differences where it is smooth
# where
fn w1(x: f64) -> f64 = where(x > 0, sqrt(x), 0.0)
fn w2(x: f64) -> f64 = if x > 0 { sqrt(x) } else { 0.0 }
fn w3(x: f64) -> f64 {
    let s = sqrt(x)
    return if x > 0 { 2 * s } else { 0.0 }
}
print("w", grad(w1)(0.0), grad(w1)(-1.0), grad(w2)(0.0), grad(w3)(0.0), grad(w3)(-1.0), jvp(w1)(0.0, 1.0), jvp(w3)(-1.0, 1.0))
let z = [0.0, -1.0, 4.0]
fn a1(x: f64[n]) -> f64 = sum(where(x > 0, sqrt(x), 0.0))
fn a2(x: f64[n]) -> f64 = sum(where(v > 0, log(v) / v, 0.0) for v in x)
fn a3(x: f64[n]) -> f64 {
    let s = sqrt(x)
    let l = log(x) * s
    return sum([where(x[i] > 0, l[i] + s[i], 0.0) for i in 0:n])
}
fn a4(x: f64[n]) -> f64 {
    let s = sqrt(x)
    var t = 0.0
    for i in 0:n { if x[i] > 0 { t += s[i]^2 } }
    return t
}
fn a5(x: f64[n]) -> f64 {
    var t = 0.0
    for i in 0:n { t += where(x[i] > 0, x[i]^x[i], 0.0) * where(x[i] != 0, sin(x[i]) / x[i], 1.0) }
    return t
}
fn a6(x: f64[n]) -> f64 {
    var y = x
    for k in 0:3 {
        let s = sqrt(y)
        y = where(y > 0, s, y)
    }
    return sum(y)
}
fn a7(x: f64[n]) -> f64 {
    var y = zeros(f64, n)
    parallel for i in 0:n {
        let s = log(x[i]) * sqrt(x[i])
        y[i] = where(x[i] > 0, s, x[i])
    }
    return sum(y)
}
kernel k8(y: inout f64[n], x: f64[n]) {
    shared t: f64[4]
    let i = thread.x
    t[i] = if i < n { sqrt(x[i]) } else { 0.0 }
    barrier
    if i < n { y[i] = where(x[i] > 0, t[i] / x[i], 1.0) }
}
fn a8(x: f64[n]) -> f64 {
    var y = zeros(f64, n)
    launch k8[1, 4](y, x)
    return sum(y)
}
fn a9(x: f64[n]) -> f64 {
    var s = 0.0
    var i = 0
    while i < n {
        let r = sqrt(x[i])
        let q = r * r
        s += if x[i] > 0 { q } else { 0 }
        i += 1
    }
    return s
}
fn deep(v: f64) -> f64 {
    let r = sqrt(v)
    let q = exp(r * log(v))
    return where(v > 0, q, v)
}
fn a10(x: f64[n]) -> f64 = sum(deep(v) for v in x)
fn a11(x: f64[n]) -> f64 {
    var s = x[0]
    for i in 0:n { s = where(x[i] > 0, deep(x[i]) + s, s) }
    return s
}
fn a12(x: f64[n]) -> f64 = sum(cumsum([where(v > 0, sqrt(v), 0.0) for v in x]))
kernel k14(y: inout f64[n], x: f64[n]) {
    let i = thread.x
    if i < n {
        var s = 0.0
        for k in 0:3 {
            let r = sqrt(x[i] * k)
            s += where(x[i] * k > 0, r, 0.0)
        }
        atomic y[i % 2] += s
    }
}
fn a14(x: f64[n]) -> f64 {
    var y = zeros(f64, n)
    launch k14[1, 4](y, x)
    return sum(y^2)
}
fn a15(x: f64[n]) -> f64 {
    var y = x
    for k in 0:2 {
        let s = [sqrt(v) for v in y]
        for i in 0:n { if y[i] > 0 { y[i] = s[i] * s[i] * s[i] } }
    }
    return sum(y)
}
fn a16(x: f64[n]) -> f64 {
    let r = [sqrt(v) for v in x]
    let q = [v * v for v in r]
    var s = 0.0
    for i in 0:n { s += where(x[i] > 0, q[i], 0.0) }
    return s
}
fn a17(x: f64[n]) -> f64 {
    let r = sqrt(x)
    let m = [r[i] * r[j] for i in 0:n, j in 0:n]
    return sum([where(x[i] > 0 and x[j] > 0, m[i, j], 0.0) for i in 0:n, j in 0:n])
}
kernel k18(y: inout f64[n], x: f64[n]) {
    shared t: f64[4]
    let i = thread.x
    t[i] = if i < n { sqrt(x[i]) } else { 0.0 }
    barrier
    if i < n { if x[i] > 0 { y[i] = t[i] * x[i] } }
}
fn a18(x: f64[n]) -> f64 {
    var y = zeros(f64, n)
    launch k18[1, 4](y, x)
    return sum(y)
}
fn smooth(f: fn(f64[n]) -> f64, x: f64[n]) -> f64 {
    let e = [1e-4 * f64(i == 2) for i in 0:n]
    let (g, d) = (grad(f)(x), ones(f64, n))
    let difference = (8 * (f(x + e) - f(x - e)) - (f(x + 2 * e) - f(x - 2 * e))) / 12e-4
    assert all(isfinite(g)) and isfinite(jvp(f)(x, d).1)
    assert abs(jvp(f)(x, d).1 - sum(g)) < 1e-10 * max(1.0, abs(sum(g)))
    assert isfinite(f(x))
    return abs(g[2] - difference) / max(1.0, abs(difference))
}
print(1, grad(a1)(z)[0:2], smooth(a1, z) < 1e-8)
print(2, grad(a2)(z)[0:2], smooth(a2, z) < 1e-8)
print(3, grad(a3)(z)[0:2], smooth(a3, z) < 1e-8)
print(4, grad(a4)(z)[0:2], smooth(a4, z) < 1e-8)
print(5, grad(a5)(z)[0:2], smooth(a5, z) < 1e-8)
print(6, grad(a6)(z)[0:2], smooth(a6, z) < 1e-8)
print(7, grad(a7)(z)[0:2], smooth(a7, z) < 1e-8)
print(8, grad(a8)(z)[0:2], smooth(a8, z) < 1e-8)
print(9, grad(a9)(z)[0:2], smooth(a9, z) < 1e-8)
print(10, grad(a10)(z)[0:2], smooth(a10, z) < 1e-8)
print(11, grad(a11)(z)[0:2], smooth(a11, z) < 1e-8)
print(12, grad(a12)(z)[0:2], smooth(a12, z) < 1e-8)
print(14, grad(a14)(z)[0:2], smooth(a14, z) < 1e-8)
print(15, grad(a15)(z)[0:2], smooth(a15, z) < 1e-8)
print(16, grad(a16)(z)[0:2], smooth(a16, z) < 1e-8)
print(17, grad(a17)(z)[0:2], smooth(a17, z) < 1e-8)
print(18, grad(a18)(z)[0:2], smooth(a18, z) < 1e-8)
print(hessian(a1)(z), hessian(a3)(z)[0:2])

# The table of docs/derivatives.md
print("abs", grad(fn(x: f64) => abs(x))(0.0), jvp(fn(x: f64) => abs(x))(0.0, 1.0))
print("sqrt", grad(fn(x: f64) => sqrt(x))(0.0))
print("hypot", grad(fn(x: f64, y: f64) => hypot(x, y))(0.0, 0.0))
print("norm", grad(fn(x) => norm(x))(zeros(f64, 2)), grad(fn(x) => std(x))(full(3.0, 2)), jvp(fn(x) => norm(x))(zeros(f64, 2), ones(f64, 2)))
fn power(x: f64, y: f64) -> f64 = x^y
print("pow", grad(power)(0.0, 0.0), grad(power)(0.0, 2.0), grad(power)(0.0, 1.0), grad(power)(2.0, 0.0), grad(power, wrt=x)(-2.0, 3.0))
print("min, max", grad(fn(x: f64, y: f64) => max(x, y))(1.0, 1.0), grad(fn(x: f64, y: f64) => min(x, y))(1.0, 1.0))
print("of arrays", grad(fn(x) => max(x))([1.0, 3.0, 3.0]), grad(fn(x) => min(x))([1.0, 1.0, 3.0]))
print("prod", grad(fn(x) => prod(x))([2.0, 0.0, 3.0]), grad(fn(x) => prod(x))([2.0, 0.0, 0.0]))
print("det", grad(fn(a) => det(a))([[1.0, 2.0], [2.0, 4.0]]), grad(fn(a) => det(a))(zeros(f64, 2, 2)))
print("floor", grad(fn(x: f64) => floor(x) + ceil(x) + round(x) + trunc(x) + sign(x) + int(x))(1.5))
print("where", grad(fn(x: f64) => where(x > 0, sqrt(x), 0.0))(0.0))
print("atan2", grad(fn(y: f64, x: f64) => atan2(y, x))(0.0, 1.0))
# A kink between the points of differences: a smaller step
fn kinks(x: f64[n]) -> f64 = sum(abs(x))
print(check_grad(kinks, [1e-4, 1.0]) < 1e-6, check_grad(kinks, [1e-4, 1.0], 1e-5) < 1e-6, check_grad(kinks, [1.0], step=1e-5) < 1e-6)
