# Comprehensions in comprehensions, whose inner arrays cost much and are read often: computed before, for all indices.
# Each backward, against forward and differences; of one the second derivative, too.
fn off(x: f64, y: f64) -> f64 = abs(x - y) / (1 + abs(x) + abs(y))
fn unit(n: int, i: int) -> f64[n] = [if k == i { 1.0 } else { 0.0 } for k in 0:n]
fn show(name: str, f: fn(f64[n]) -> f64, x: f64[n]) {
    let g = grad(f)(x)
    let h = 1e-5
    var worst = 0.0
    for i in 0:n {
        let e = unit(n, i)
        worst = max(worst, off(g[i], (f(x + h * e) - f(x - h * e)) / (2 * h)), off(g[i], jvp(f)(x, e).1) * 100)
    }
    print(name, g, worst < 1e-6)
}
fn two(x: f64[n]) -> f64 = sum([sum(softmax([logsumexp(x * x[i] + x[j]) for j in 0:n]) * x) for i in 0:n])
fn three(x: f64[n]) -> f64 = sum([sum(sum(softmax([logsumexp(x * x[i] + x[j] + x[k]) for k in 0:n]) * x) for j in 0:n) for i in 0:n])
fn inside(x: f64[n]) -> f64 = max([sum(softmax([sum(softmax(x * x[i] + x[j] * x)[0:2]) for j in 1:n-1]) * x[2:]) for i in 0:n])
fn branched(x: f64[n]) -> f64 = sum([if x[i] > 0.5 { sum(softmax([prod(x + x[i] * x[j]) for j in 0:n]) * x) } else { x[i] } for i in 0:n])
fn triples(x: f64[n]) -> f64 = sum([norm([norm(x - x[i] * y - x[j]) for y in x] + x[j]) for i in 0:n, j in 0:n])

let x = [0.9, 0.4, 0.7, 1.1]
show("two", two, x)
let (h, d) = (1e-5, [0.3, 0.1, -0.1, -0.3])
let (v, w) = (hvp(two)(x, d), (grad(two)(x + h * d) - grad(two)(x - h * d)) / (2 * h))
print(v, max([off(v[i], w[i]) for i in 0:4]) < 1e-6)
show("three", three, x)
show("inside", inside, x)
show("branched", branched, x)
show("triples", triples, x)

fn rows(a: f32[m, n]) -> f32 = sum([sum(softmax([logsumexp(a[i] * a[j]) for j in 0:m])[1:]) for i in 0:m])
print(grad(rows)([[1.0, 2.0], [0.5, 0.25], [0.125, 0.75]]), grad(two)(zeros(f64, 0)))
