# Derivatives by elements at indices of several loops, x[i + a]: gathered, one index is solved for when the others are known
fn conv(x: f64[n], w: f64[m]) -> f64 = sum(sum(w[a] * x[i + a] for a)^2 for i in 0:n - m + 1)
fn conv_map(x: f64[n], w: f64[m]) -> f64 { let y = [sum(w[a] * x[i + a] for a) for i in 0:n - m + 1]; return sum(y * y * y) }
fn back(x: f64[n], w: f64[m]) -> f64 = sum(sum(w[a] * x[i - a] for a)^2 for i in m:n)
fn from_end(x: f64[n], w: f64[m]) -> f64 = sum(sum(w[a] * x[n - 1 - i - a] for a)^3 for i in 0:n - m + 1)
fn hankel(x: f64[n], w: f64[m]) -> f64 { let h = [sin(x[i + j]) for i in 0:m, j in 0:n - m + 1]; return sum(h[i, j] * w[i] * j for i, j) }
fn strided(x: f64[n], w: f64[m]) -> f64 = sum(sum(w[a] * x[2*i + a] for a)^2 for i in 0:(n - m) // 2)
fn three(x: f64[n], w: f64[m]) -> f64 = sum(sum(w[a] * w[b] * x[i + a + b] for a, b)^2 for i in 0:n - 2*m + 2)
fn nested(x: f64[n], w: f64[m]) -> f64 = sum(sum(sum(w[a] * x[i + a + 2*0 + b] for a) * w[b] for b)^2 for i in 0:n - 2*m + 2)
fn around(x: f64[n], w: f64[m]) -> f64 = sum(sum(w[a] * x[(i + a) % n] for a)^2 for i in 0:n)
fn guarded(x: f64[n], w: f64[m]) -> f64 = sum(sum(if i + a < n and i % 2 == 0 { w[a] * x[i + a] } else { 0.5 } for a)^2 for i in 0:n)
fn uneven(x: f64[n], w: f64[m]) -> f64 = sum(sum(w[a] * x[i + a] for a in 0:min(m, n - i))^2 for i in 0:n)
fn of_two(x: f64[n, k], w: f64[m]) -> f64 = sum(sum(w[a] * x[i + a, a] for a in 0:m)^2 for i in 0:n - m + 1)
fn both_axes(x: f64[n, k], w: f64[m]) -> f64 = sum(sum(w[a] * x[i + a, i + 1 - a] for a in 0:2)^2 for i in 0:min(n - 1, k - 1))
fn square(x: f64[n, k], w: f64[m]) -> f64 = sum(sum(w[a] * w[b] * x[i + a, j + b] for a, b)^2 for i in 0:n - m + 1, j in 0:k - m + 1)
fn twice(x: f64[n], w: f64[m]) -> f64 = sum(sum(w[a] * x[i + a] * x[i + 1] for a)^2 for i in 0:n - m + 1)
let x = [f64((i * 7) % 11 - 5) / 8 for i in 0:40]
let w = [0.5, -0.25, 1.0]
let v = [f64((i * 5) % 7 - 3) / 4 for i in 0:40]
let x2 = [f64((i * 7 + j * 3) % 11 - 5) / 8 for i in 0:12, j in 0:9]
let v2 = [f64((i * 5 + j * 2) % 7 - 3) / 4 for i in 0:12, j in 0:9]
fn agree(f: fn(f64[n], f64[m]) -> f64, x: f64[n], w: f64[m], v: f64[n], what: str) {
    let g = grad(f, wrt=x)(x, w)
    let d = jvp(fn(x) => f(x, w))(x, v).1
    let again = grad(fn(x) => sum(grad(f, wrt=x)(x, w) * v))(x)
    print(what, abs(sum(g * v) - d) < 1e-12 * (1 + abs(d)), f"{d:.10g} {g[3]:.10g} {again[4]:.10g}")
}
agree(conv, x, w, v, "conv")
agree(conv_map, x, w, v, "map")
agree(back, x, w, v, "back")
agree(from_end, x, w, v, "from end")
agree(hankel, x, w, v, "hankel")
agree(strided, x, w, v, "strided")
agree(three, x, w, v, "three")
agree(nested, x, w, v, "nested")
agree(around, x, w, v, "around")
agree(guarded, x, w, v, "guarded")
agree(uneven, x, w, v, "uneven")
agree(twice, x, w, v, "twice")
let (d1, d2, d3) = (jvp(fn(x) => of_two(x, w))(x2, v2).1, jvp(fn(x) => both_axes(x, w))(x2, v2).1, jvp(fn(x) => square(x, w))(x2, v2).1)
let (g1, g2, g3) = (grad(of_two, wrt=x)(x2, w), grad(both_axes, wrt=x)(x2, w), grad(square, wrt=x)(x2, w))
print(abs(sum(g1 * v2) - d1) < 1e-12, abs(sum(g2 * v2) - d2) < 1e-12, abs(sum(g3 * v2) - d3) < 1e-12)
print(f"{d1:.10g} {d2:.10g} {d3:.10g} {g1[3, 1]:.10g} {g2[3, 3]:.10g} {g3[3, 1]:.10g}")
# Empty and small ones
print(grad(conv, wrt=x)(x[0:3], w), grad(conv, wrt=x)(x[0:2], w), grad(square, wrt=x)(x2[0:3, 0:3], w)[1])
