# Derivatives of comprehensions whose bodies compute whole arrays: gradient = tangent = differences.
fn agree(name: str, f: fn(f64[6]) -> f64) {
    let x = [0.31, 0.62, 0.27, 0.83, 0.49, 0.55]
    let d = [0.3, -0.4, 0.5, 0.1, -0.2, 0.25]
    let h = 1e-4
    var v = zeros(f64, 4)
    for k in 0:4 { v[k] = f(x + (if k < 2 { k + 1 } else { 1 - k }) * h * d) }
    let slope = (8 * (v[0] - v[2]) - (v[1] - v[3])) / (12 * h)
    let back = sum(grad(f)(x) * d)
    let along = jvp(f)(x, d).1
    print(name, abs(back - slope) < 1e-7 * (1 + abs(slope)) and abs(along - slope) < 1e-7 * (1 + abs(slope)))
}
fn m(x: f64[6]) -> f64[2, 3] = reshape(x, 2, 3)
fn poly(v: f64[k]) -> f64 = sum(v[i]^2 * 0.7^i for i in 0:k)
fn turned(w: f64[3], p: f64[3]) -> f64[3] {
    let t = norm(w)
    let u = w / t
    return cos(t) * p + sin(t) * cross(u, p) + (1 - cos(t)) * sum(u * p) * u
}
fn pieces(v: f64[3], c: f64) -> f64 {
    var y = zeros(f64, 3)
    y[0] = v[1] * c
    y[2] = sin(v[0])
    return sum((y * v + 1)^3)
}
agree("means of rows", fn(x) => sum([mean(m(x)[i]) for i in 0:2]^3) + sum([norm(m(x)[i] - m(x)[0] + 1) for i in 0:2]^3))
agree("turned rows", fn(x) => sum([turned(m(x)[0], m(x)[i]) for i in 0:2]^3))
agree("columns", fn(x) => sum([poly(m(x)[:, j]) + poly(2 * m(x)[0] - m(x)[1, j]) for j in 0:3]^3))
agree("softmax of rows", fn(x) => sum([softmax(m(x)[i]) for i in 0:2]^3) + sum(sum(m(x)[i] * m(x)[1 - i]) for i in 0:2))
agree("elements put in", fn(x) => sum([pieces(m(x)[i], x[i]) for i in 0:2]))
