# Elements of what is gathered from: parts, reverses, rows, other gathers, arithmetic; derivatives
fn of_gather(x: f64[n], i: int[m], j: int[k]) -> f64[k] = x[i][j]
fn of_rows(x: f64[n, m], i: int[k], j: int[l]) -> f64[l, m] = x[i][j]
fn of_slice(x: f64[n], i: int[m]) -> f64[m] = x[2:n - 1][i]
fn of_steps(x: f64[n], i: int[m]) -> f64[m] = x[1::3][i]
fn of_reverse(x: f64[n], i: int[m]) -> f64[m] = x[::-1][i]
fn of_twice(x: f64[n], i: int[m]) -> f64[m] = reverse(reverse(x))[i]
fn of_turned(x: f64[n, m], i: int[k]) -> f64[k, n] = x.T[i]
fn of_parts(x: f64[n], y: f64[k], i: int[m]) -> f64[m] = concat(x, y)[i]
fn of_one(x: f64[n], i: int[m]) -> f64[m] = [x[2] for t in 0:n][i]
fn of_choice(x: f64[n], i: int[m]) -> f64[m] = [if t % 2 == 0 { x[t] } else { -x[n - 1 - t] } for t in 0:n][i]
fn few(x: f64[n], i: int[3]) -> f64[3] = exp(x)[i]
fn sums(x: f64[n, m], i: int[2]) -> f64[2] = sum(x, axis=1)[i]
fn guarded(x: f64[n], i: int[m]) -> f64[m] {
    let y = x[::-1]
    return [if i[t] < n { y[i[t]] } else { 0.0 } for t in 0:m]
}
fn nested(x: f64[n], i: int[m], j: int[k]) -> f64[k] = [sum(x[1:n][i[(t + s) % m]] for s in 0:3) for t in 0:k] + [f64(v) for v in j]
let x = [f64(k * k % 17) / 8 for k in 0:12]
let z = [f64(a * 5 + b * b) for a in 0:5, b in 0:4]
let i = [3, 0, 5, 5, 1, 7, 2]
let j = [6, 6, 0, 2]
let rows = [3, 0, 1]
print(of_gather(x, i, j), of_rows(z, [4, 2, 2], rows[1:3]), of_slice(x, i), of_steps(x, rows))
print(of_reverse(x, i), of_twice(x, i), of_turned(z, rows), of_parts(x, x[2:5], [14, 3, 12]))
print(of_one(x, i), of_choice(x, i), few(x, [2, 2, 0]), sums(z, [4, 1]), guarded(x, [3, 12, 99]), nested(x, i, j))
print(grad(fn(v) => sum([of_gather(v, i, j)[t] * (t + 1) for t in 0:4]))(x))
print(grad(fn(v) => sum(of_slice(v, i)) + sum(of_reverse(v, i)) + sum(few(v, [2, 2, 0])) + sum(of_choice(v, i)))(x))
print(grad(fn(v) => sum([of_rows(v, [4, 2, 2], [2, 0, 1])[a, b] * (a + b) for a in 0:3, b in 0:4]))(z))
print(grad(fn(v) => sum(of_turned(v, rows)) + sum(sums(v, [4, 1])))(z))
