# Arrays whose size is found in a comprehension, a loop, a branch or a strand.
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

fn tails(x: f64[n]) -> f64 = sum([sum(x[i:]^2) * x[i] for i in 0:n])
fn chosen(x: f64[n]) -> f64 = sum([sum(x[x > x[i]]^2) * x[i] for i in 0:n])
fn growing(x: f64[n]) -> f64 {
    var s = 1.0
    for i in 0:n {
        let y = x[0:i + 1] * s
        if i % 2 == 0 { s += sum(sort(y) * x[0:i + 1]) + x[i] }
        else {
            for k in 0:i {
                let z = y[k:i]
                s += sum(cumsum(z))^2 / 10 + x[i] / 10
            }
        }
    }
    return s
}
fn shrinking(x: f64[n]) -> f64 {
    var m = n
    var s = 0.0
    while m > 0 and s < 100 {
        s += sum(x[0:m]^3) * x[m - 1]
        m = m // 2
    }
    return s
}
fn strands(x: f64[n]) -> f64 {
    var a = 0.0
    var b = 0.0
    spawn { a = sum([sum(x[k:]^3) for k in 0:n]) }
    spawn { b = sum(sort(sin(x))[1:]) }
    sync
    return a * b
}

let x = [0.9, 0.4, 0.7, 1.1]
show_twice("tails", tails, x)
show("chosen", chosen, x)
show("growing", growing, x)
show("shrinking", shrinking, x)
show("strands", strands, x)
print(grad(tails)(zeros(f64, 0)))
