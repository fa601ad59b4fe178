# Calls, loops and C functions in comprehensions, sums and loops that an index does not change are done once; so are they
# for each of some indices.
fn smooth(x: f64[n]) -> f64[n] {
    var y = x
    for t in 0:3 { y = [0.5 * y[i] + 0.25 * (y[max(i - 1, 0)] + y[min(i + 1, n - 1)]) for i in 0:n] }
    return y
}
fn halves(x: f64[n], k: int) -> f64[n] = if k < 2 { x } else { halves(x, k - 1) + 0.5 * halves(x, k - 2) }
fn until(x: f64[n]) -> f64[n] {
    var y = x
    while sum(y) > 1.0 { y = 0.5 * y }
    return y
}
fn sorted(x: f64[n]) -> f64 = sum(sort(x)[i] * i for i in 0:n)
fn smoothed(x: f64[n]) -> f64 = sum(smooth(x)[i] * i for i in 0:n)
fn recursive(x: f64[n]) -> f64[n] = [halves(x, 6)[i] * i for i in 0:n]
fn waited(x: f64[n]) -> f64[n] = [until(x)[i] - x[i] for i in 0:n]
fn solved(x: f64[n]) -> f64 = sum(solve(eye(n) + outer(x, x), x)[i] * i for i in 0:n)
fn spectrum(x: f64[n]) -> f64 = sum(fft(x)[i].re * i for i in 0:n)
fn turns(x: f64[n], k: int) -> f64 {
    var s = 0.0
    for t in 0:k { s += sort(x)[t] * t }
    for t in k - 1:-1:-1 { s -= smooth(x)[t] / (t + 1) }
    return s
}
fn beside(x: f64[n]) -> f64[n] = [sort(x)[i] + argsort(x)[n - 1 - i] + smooth(sort(x))[i] for i in 0:n]
fn rows(a: f64[n, m]) -> f64[n, m] = [sort(a[i, :])[j] for i in 0:n, j in 0:m]
fn both(a: f64[n, m]) -> f64 = sum((sort(a[:, j])[i] - sort(a[i, :])[j]) * (i + 2 * j) for i in 0:n, j in 0:m)
fn nested(a: f64[n, m]) -> f64[n] = [sum(smooth(a[i, :])[j] * j for j in 0:m) for i in 0:n]
fn three(a: f64[n, m, k]) -> f64[n, m, k] =
    [sort(a[i, :, l])[j] + sort(a[i, j, :])[l] + smooth(a[:, j, l])[i] for i in 0:n, j in 0:m, l in 0:k]
fn sided(x: f64[n]) -> f64[n] = [if i > 2 { sort(x)[i] } else { x[i] } for i in 0:n]

let x = rand(1, 9)
print(sorted(x), smoothed(x), solved(x), spectrum(x))
print(recursive(x), waited(x), beside(x), sided(x))
print(turns(x, 9), turns(x, 0))
let a = rand(2, 4, 5)
print(rows(a), both(a), nested(a))
print(sum(three(rand(3, 3, 4, 5))), three(rand(3, 3, 4, 5))[2, 3, 4])

# no turn, no work: these would fail, or never end
fn fails(x: f64[n]) -> f64[n] {
    assert n > 3, "few"
    return smooth(x)
}
fn forever(x: f64[n]) -> f64[n] {
    var y = x
    while sum(y) > -1.0 { y = y + 1.0 }
    return y
}
fn none(x: f64[n], m: int) -> f64 = sum(fails(x)[i] for i in 0:m) + sum(forever(x)[i] for i in 0:m)
print(none(rand(1, 2), 0))
print(sorted(rand(1, 0)), rows(rand(1, 0, 3)), rows(rand(1, 3, 0)), both(rand(1, 0, 3)), both(rand(1, 3, 0)))

# what prints, or is of the moment, stays
fn loud(x: f64[n]) -> f64[n] {
    print("loud")
    return sort(x)
}
var s = 0.0
for t in 0:3 { s += loud(x)[t] }
print(s)

# derivatives
print(grad(sorted)(x))
print(grad(smoothed)(x))
print(grad(both)(a))
print(grad(fn(x) => turns(x, 5))(x))
