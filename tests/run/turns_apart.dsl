# Loops whose turns each have a place of their own in what they change, and some that look like it
let n = 9
let m = 4
let x = [f64((i * 7 + j * 3) % 11) - 4 for i in 0:n, j in 0:m]
let flat = [f64((i * 5) % 7) - 2 for i in 0:40]

fn backward(x: f64[n, m]) -> f64[m, n] {
    var y = zeros(f64, m, n)
    for i in 0:n { y[:, n - 1 - i] = 2 * x[i] + y[:, n - 1 - i] }
    return y
}
fn strided(x: f64[n], by: int) -> f64[n + 3] {
    var y = [f64(i) for i in 0:n + 3]
    for i in 0:n:3 { y[i + by] += 10 * x[i] }
    return y
}
## Rows that are changed in two steps, of which the second reads what the first has written
fn twice(x: f64[n, m]) -> f64[n, m] {
    var y = x
    for i in 0:n {
        y[i] = y[i] * 2
        y[i] = y[i] + cumsum(y[i])
    }
    return y
}
fn pairs(x: f64[n, m]) -> (f64[n, m], f64[n]) {
    var y = x
    var s = zeros(f64, n)
    for i in n - 1:-1:-1 {
        s[i] = sum(y[i])
        y[i] = y[i] - s[i]
    }
    return (y, s)
}
fn sequence(x: f64[n, m]) -> f64[n, m] {
    var y = x
    for i in 1:n { y[i] = y[i] - y[i - 1] }
    return y
}
fn before(x: f64[n, m]) -> f64[n, m] {
    var y = x
    for i in 0:n - 1 { y[i] = y[i + 1] + x[i] }
    return y
}
fn whole(x: f64[n, m]) -> f64[n, m] {
    var y = x
    for i in 0:n { y[i] = x[i] + 0.5 * y[n - 1 - i] }
    return y
}
fn last(x: f64[n]) -> f64[n] {
    var y = x
    for i in 0:n { y[i // 2] = x[i] }
    return y
}
## Of each row as many halvings as its own numbers ask
fn halved(row: f64[m]) -> f64[m] {
    var r = row
    while max(r) > 1 { r = 0.5 * r }
    return r
}
print(backward(x))
print(strided(flat, 2))
print(twice(x))
print(pairs(x))
print(sequence(x))
print(before(x))
print(whole(x))
print(last(flat))
print([halved(x[i]) for i in 0:n])
print([cumsum(x[i])[::-1] for i in 0:n])
print(cumsum(flat), cumprod(flat[1:4] + 1), scan(max, [int(v) for v in flat]))
print(scan(fn(a, b) => a or b, [v > 3 for v in flat]))
print(cumsum(x, axis=0), cumsum(x, axis=1))
let cube = reshape(flat, 2, 5, 4)
print(cumsum(cube, axis=0), cumsum(cube, axis=1), cumsum(cube, axis=2))
print(grad(fn(x) => sum(cumsum(x, axis=0)^2))(x))
print(grad(fn(x) => sum(cumsum(x, axis=1)[:, 1]^3))(x))
print(grad(fn(x) => sum([sum(cumsum(x[i]) * x[i]) for i in 0:n]))(x))
print(grad(fn(c) => sum(cumsum(c, axis=1)^2))(cube))
print(jvp(fn(x) => cumsum(x, axis=1))(x, x * x).1)
