# Parts of arrays whose length a thread finds, in launches, parallel loops and comprehensions: their gradients
kernel sums(y: inout f64[n], z: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        y[i] += x[n - 1 - i] * sum(x[0:i + 1])
        z[i] = max(x[i:]) + sqrt(sum(x[i // 2:i + 1]^2)) - sum(x[n - i:]^2)
    }
}
kernel rows(y: out f64[n, m], x: f64[n, m], w: f64[m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < n and j < m { y[i, j] = sum(x[i, 0:j + 1]) * w[j] + sum(x[0:i + 1, j]) * sum(w[j:]) }
}
kernel blocks(y: inout f64[n], x: f64[n]) {
    shared s: f64[4]
    let t = thread.x
    let i = block.x * 4 + t
    s[t] = if i < n { x[i]^2 } else { 0.0 }
    barrier
    if i < n { y[i] = sum(s[0:t + 1]) * sum(x[0:i]) }
}
fn launched(x: f64[n]) -> f64 {
    var y = x
    var z = zeros(f64, n)
    launch sums[ceildiv(n, 8), 8](y, z, x)
    return sum(y^2) + sum(y * z)
}
fn of_rows(x: f64[n]) -> f64 {
    var y = zeros(f64, n, n)
    launch rows[(ceildiv(n, 4), ceildiv(n, 2)), (4, 2)](y, [[x[(i + j) % n] for j in 0:n] for i in 0:n], x)
    return sum(y^2)
}
fn of_blocks(x: f64[n]) -> f64 {
    var y = x
    launch blocks[ceildiv(n, 4), 4](y, x)
    return sum(y^2)
}
fn in_parallel(x: f64[n]) -> f64 {
    var y = x
    parallel for i in 0:n { y[i] += sum(x[0:i]) * sum(x[i:(n + i + 1) // 2]^2) }
    return sum(y^2)
}
fn comprehended(x: f64[n]) -> f64 {
    let y = [sum(x[0:i + 1]) * x[i] - sum(sum(x[j:i + 1]) * x[j] for j in 0:i) for i in 0:n]
    return sum(y^2)
}
fn chosen(x: f64[n], k: int[n]) -> f64 = sum([sum(x[0:k[i]]^2) * x[i] for i in 0:n])
fn show(name: str, f: fn(f64[n]) -> f64, x: f64[n]) {
    let v = [f64(i % 3 - 1) for i in 0:n]
    let g = grad(f)(x)
    let d = sum(g * v)
    let by_differences = (f(x + 1e-6 * v) - f(x - 1e-6 * v)) / 2e-6
    print(name, f"{norm(g):.9g}", abs(d - by_differences) < 1e-6 * (1 + abs(d)), abs(d - jvp(f)(x, v).1) < 1e-11 * (1 + abs(d)))
}
for n in [1, 2, 5, 11] {
    let x = [0.7 + 0.1 * (i * 7 % 11) for i in 0:n]
    show("launched", launched, x)
    show("rows", of_rows, x)
    show("parallel", in_parallel, x)
    show("comprehended", comprehended, x)
    let k = [i * 3 % (n + 1) for i in 0:n]
    show("chosen", fn(y) => chosen(y, k), x)
    show("blocks", of_blocks, x)
}
