# Functions that are given functions, and hand them on, with what these capture of the function around
fn apply(f: fn(f64[k]) -> f64, v: f64[k]) -> f64 = f(v)
fn outer(n: int, s: f64) {
    let v = [f64(i) for i in 0:n]
    let part = fn(f: fn(f64[k]) -> f64) => apply(f, v) * s
    print(part(fn(x) => sum(reshape(x, n, 1))))
    let twice = fn(g, y: f64) => g(g(y))
    print(twice(fn(y: f64) => y * s + n, 1.0), twice(fn(y) => twice(fn(z) => z + s, y), 0.0))
    print(part(fn(x) => part(fn(y) => sum(x * y) + n)))
    let both = fn(f, g, y: f64) => f(y) + g(y)
    print(both(fn(y) => y * n, fn(y) => y + s, 2.0), both(sin, fn(y) => y - s, 0.0))
    print(grad(fn(a) => twice(fn(y) => y * a + n, s))(3.0))
}
outer(3, 2.0)
outer(4, 0.5)
