# Comprehensions whose bodies write arrays in loops, or nest deep, inside each other and other reductions.
# Each backward, against forward and differences; of some the second derivative, too, forward over backward and backward over backward.
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
fn show_twice(name: str, f: fn(f64[n]) -> f64, x: f64[n]) {
    show(name, f, x)
    let h = 1e-5
    let d = [0.3 - 0.2 * i for i in 0:n]
    let v = hvp(f)(x, d)
    let twice = grad(fn(y) => sum(grad(f)(y) * d))(x)
    let by_differences = (grad(f)(x + h * d) - grad(f)(x - h * d)) / (2 * h)
    print(name, v + 1, max([max(off(v[i], by_differences[i]), off(v[i], twice[i]) * 100) for i in 0:n]) < 1e-6)
}

fn steps(x: f64[n], c: f64) -> f64[n] {
    var y = zeros(f64, n)
    for i in 0:n {
        y[i] = c * x[i]
        if i > 0 { y[i] += y[i - 1] * y[i - 1] }
    }
    return y
}
fn written(x: f64[n]) -> f64 = sum([sum(steps(x, x[i]) * x) for i in 0:n])
fn until(x: f64[n]) -> f64 = sum([found(x * x[i], x[i]) for i in 0:n])
fn found(x: f64[n], c: f64) -> f64 {
    var y = copy_of(x)
    var turns = 0
    while y[0]^2 < 4 and turns < 20 {
        y = y * y + c
        turns += 1
    }
    return y[0] + y[n - 1] / 100
}
fn copy_of(x: f64[n]) -> f64[n] = [x[i] for i in 0:n]
fn deep(x: f64[n]) -> f64 = sum([sum([sum([sum(cumsum(x * x[k] + x[j])) * x[i] for i in 0:2]) for j in 0:n]) for k in 0:n])
fn scanned(x: f64[n]) -> f64 = sum(cumsum([sum(cumsum(x * x[i])) for i in 0:n])^2)
fn least(x: f64[n]) -> f64 = min([sum(cumsum(sin(x) * x[i])) for i in 0:n]) * max([cumsum(x * x[i])[1] for i in 0:n])

let x = [0.9, 0.4, 0.7, 1.1]
show_twice("written", written, x)
show_twice("until", until, x)
show("deep", deep, x)
show("scanned", scanned, x)
show("least", least, x)
print(grad(written)(zeros(f64, 0)), grad(written)([2.0]))
