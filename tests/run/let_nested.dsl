# Names that are taken apart in turn
fn f(x: f64, y: f64) -> f64 = x^2 * y
let (v, (a, b)) = value_and_grad(f, wrt=(x, y))(3.0, 2.0)
print(v, a, b)
let t = ((1, (2.0, 3.0)), [4, 5])
var ((i, (p, q)), (r, s)) = t
p += 1
print(i, p, q, r, s)
fn h(x: f64) -> f64 {
    let ((a, b), c) = ((x, 2 * x), if x > 0 {
        let (u, (w, z)) = (x, (x, x))
        u + w + z
    } else { 0.0 })
    return a + b + c
}
print(h(1.0))
for k in 0:2 {
    let (n, (m, o)) = (k, (k + 1, [k, 2 * k]))
    print(n, m, o)
}
