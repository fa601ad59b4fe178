# Derivatives of loops that pick the greatest, or its place, or the last: to the turn that is picked; of equals the one that stays
fn greatest(x: f64[n]) -> f64 {
    var m = x[0]
    for i in 1:n { m = max(m, x[i]^2) }
    return m
}
fn greatest_if(x: f64[n]) -> f64 {
    var m = x[0]
    for i in 1:n { if x[i]^2 > m { m = x[i]^2 } }
    return m
}
fn place(x: f64[n], y: f64[n]) -> f64 {
    var (m, v, at) = (x[0], y[0], 0)
    for i in 1:n { if x[i] > m { m = x[i]; v = y[i]; at = i } }
    return m * v + at
}
fn last(x: f64[n]) -> f64 {
    var v = 0.0
    for i in 0:n { if x[i] > 0.5 { v = x[i]^2 } }
    return v
}
fn cnt(x: f64[n]) -> f64 {
    var c = 0
    for i in 0:n { if x[i] > 0.5 { c += 1 } }
    return c * x[0]
}
let x = [0.5, 0.3, 0.9, -0.9, 0.9, 0.1]
print(grad(greatest)(x), grad(greatest_if)(x), grad(fn(x) => place(x, x * 2))(x), grad(last)(x), grad(cnt)(x))
let big = tile(x, 1000)
fn show(g: f64[n]) -> (f64, int, f64) = (sum(g), argmax(abs(g)), max(g))
print(show(grad(greatest)(big)), show(grad(greatest_if)(big)), show(grad(fn(x) => place(x, x * 2))(big)), show(grad(last)(big)), show(grad(cnt)(big)))
print(jvp(greatest)(big, big).1, jvp(greatest_if)(big, big).1)
