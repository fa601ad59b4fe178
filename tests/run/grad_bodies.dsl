# Comprehensions whose bodies are more than numbers: what operations on arrays and the library compute.
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

fn ends(x: f64[n]) -> f64 = sum(sum(concat(x[i] * x, x * x)^2) for i in 0:n)
fn tables(x: f64[n]) -> f64 = sum([sum(outer(x[i] * x, sin(x))^2) + sum(flatten(outer(x, x) * x[i])) for i in 0:n])
fn stacks(x: f64[n]) -> f64 = max([sum(vstack([x[i] * x], [x * x]) @ x) for i in 0:n])
fn products(x: f64[n]) -> f64 = sum([(outer(x, x + 1) * x[i]) @ x for i in 0:n], 0)[1] + sum([sum((outer(x, x + 1) * x[i]) @ x) for i in 0:n])
fn sums(x: f64[n]) -> f64 = sum([sum(cumsum(x[i] * x)^2) * x[i] for i in 0:n])
fn pairs(x: f64[n]) -> f64 = sum([if i < j { cumsum(x * x[i] + x[j])[n - 1] * x[0] } else { x[j] } for i in 0:n, j in 0:n])
fn sorted(x: f64[n]) -> f64 = sum([sum(sort(sin(3 * x[i] * x)) * x) for i in 0:n])
fn middles(x: f64[n]) -> f64 = prod([1 + median(x[i] * x) for i in 0:n])
fn spectra(x: f64[n]) -> f64 = sum([sum(abs(fft(x[i] * x))^2) * x[i] for i in 0:n])
fn systems(x: f64[n]) -> f64 = sum([sum(solve(outer(x, x) + x[i] * eye(n) * 9, x)) for i in 0:n])
fn widest(x: f64[n]) -> f64 {
    let a = outer(x, x) + 4 * eye(n)
    return sum([svd(a * x[i] + outer(x, sin(x))).1[0] for i in 0:n])
}

let x = [0.9, 0.4, 0.7, 1.1]
show("ends", ends, x)
show("tables", tables, x)
show("stacks", stacks, x)
show("products", products, x)
show_twice("sums", sums, x)
show_twice("pairs", pairs, x)
show_twice("sorted", sorted, x)
show("middles", middles, x)
show("spectra", spectra, x)
show("systems", systems, x)
show("widest", widest, x)

# ---- of f32, by two arguments, of a matrix; of nothing
fn halves(a: f32[m, n], w: f32[n]) -> f32 = sum([sum(cumsum(a[i] * w)) * sum(a[i, 1:]) for i in 0:m])
print(grad(halves)([[1.0, 2.0, 3.0], [0.5, 0.25, 0.125]], [1.0, -1.0, 0.5]))
print(grad(sums)(zeros(f64, 0)), grad(sorted)(zeros(f64, 0)))
