fn look(t: f64[m], u: f64) -> f64 = t[int(u)] * u
vjp fn look(t: f64[m], u: f64, s: f64) -> (f64[m], f64) = ([if j == int(u) { 10 * s * u } else { 0.0 } for j in 0:m], 10 * s * t[int(u)])
# the array is changed by the launch; a loop carries the number; the array is the launch's own
kernel changes(x: inout f64[n]) {
    let i = thread.x
    x[i] = look(x, 0.5) + 1
}
kernel carries(y: out f64[n], x: f64[n], t: f64[m]) {
    let i = thread.x
    var u = x[i]
    for k in 0:2 { u = look(t, u) }
    y[i] = u
}
kernel shares(y: out f64[n], x: f64[n]) {
    shared s: f64[4]
    s[thread.x] = x[thread.x]
    barrier
    y[thread.x] = look(s, 1.5)
}
# nobody takes its derivative: nothing is said
kernel others(y: out f64[n], x: f64[n]) {
    shared s: f64[4]
    s[thread.x] = x[thread.x]
    barrier
    y[thread.x] = look(s, 1.5)
}
fn f(x: f64[n], t: f64[m]) -> f64 {
    var y = x
    var z = x
    launch changes[1, 1](y)
    launch carries[1, n](z, x, t)
    return sum(y) + sum(z)
}
fn g(x: f64[4]) -> f64 {
    var y = x
    launch shares[1, 4](y, x)
    return sum(y)
}
fn h(x: f64[4]) -> f64 {
    var y = x
    launch others[1, 4](y, x)
    return sum(y)
}
print(grad(f)([0.5, 1.5], [1.0, 1.0]), grad(g)([1.0, 2.0, 3.0, 4.0]), h([1.0, 2.0, 3.0, 4.0]))
