# Loops that set elements: turned, backwards, gathered, shifted, in steps, of a part, where they were; and those that add
# to them, as products of matrices
fn turned(x: f64[n, m]) -> f64[m, n] {
    var y = zeros(f64, m, n)
    for i in 0:n { for j in 0:m { y[j, i] = 2 * x[i, j] } }
    return y
}
fn backwards(x: T[n]) -> T[n] {
    var y = zeros(T, n)
    for i in 0:n { y[n - 1 - i] = x[i] }
    return y
}
fn down(x: T[n]) -> T[n] {
    var y = zeros(T, n)
    for i in n-1:-1:-1 { y[i] = x[i] + x[0] }
    return y
}
fn gathered(x: f64[n], at: int[m]) -> f64[m] {
    var y = zeros(f64, m)
    for i in 0:m { y[i] = x[at[i]] }
    return y
}
fn shifted(x: f64[n]) -> f64[n] {
    var y = x
    for i in 0:n-1 { y[i] = x[i + 1] - x[i] }
    return y
}
fn in_place(x: f64[n]) -> f64[n] {
    var y = x
    for i in 0:n-1 { y[i] = y[i + 1] - y[i] }
    return y
}
fn in_place_down(x: f64[n]) -> f64[n] {
    var y = x
    for i in n-1:0:-1 { y[i] = y[i - 1] + y[i] }
    return y
}
fn recurrence(x: f64[n]) -> f64[n] {
    var y = x
    for i in 1:n { y[i] = y[i - 1] + y[i] }
    return y
}
fn steps(x: f64[n]) -> f64[2*n + 1] {
    var y = zeros(f64, 2*n + 1)
    for i in 0:n { y[2*i + 1] = x[i] }
    return y
}
fn row(x: f64[n, m], k: int) -> f64[n, m] {
    var y = x
    for j in 1:m { y[k, j] = x[n - 1 - k, j - 1] + y[k, j] }
    return y
}
fn skewed(x: f64[n, m]) -> f64[n, m] {
    var y = x
    for i in 0:n-1 { for j in 1:m { y[i, j] = y[i + 1, j - 1] + 1 } }
    return y
}
fn triangle(n: int) -> int[n, n] {
    var y = zeros(int, n, n)
    for i in 0:n { for j in 0:i + 1 { y[i, j] = 10 * i + j } }
    return y
}
fn columns(x: f64[n, m]) -> f64[m] {
    var s = ones(f64, m)
    for i in 0:n { for j in 0:m { s[j] += x[i, j] } }
    return s
}
fn product(a: f64[n, k], b: f64[k, m]) -> f64[n, m] {
    var c = zeros(f64, n, m)
    for i in 0:n { for j in 0:m { for l in 0:k { c[i, j] += a[i, l] * b[l, j] } } }
    return c
}
fn product_outer(a: f64[n, k], b: f64[k, m]) -> f64[n, m] {
    var c = ones(f64, n, m)
    for l in 0:k { for i in 0:n { for j in 0:m { c[i, j] += a[i, l] * b[l, j] } } }
    return c
}
fn product_turned(a: f64[k, n], b: f64[m, k]) -> f64[n, m] {
    var c = zeros(f64, n, m)
    for j in 0:m { for i in 0:n { var s = 0.0; for l in 0:k { s += b[j, l] * a[l, i] }; c[i, j] = s } }
    return c
}
fn product_rows(a: f64[n, k], b: f64[k, m]) -> f64[n, m] {
    var c = zeros(f64, n, m)
    for i in 0:n { for j in 0:m { c[i, j] = sum(a[i, :] * b[:, j]) } }
    return c
}
fn product_parallel(a: f64[n, k], b: f64[k, m]) -> f64[n, m] {
    var c = zeros(f64, n, m)
    parallel for i in 0:n, j in 0:m {
        var s = 1.0
        for l in 0:k { s += a[i, l] * b[l, j] }
        c[i, j] = s
    }
    return c
}
kernel multiply(c: out f64[n, m], a: f64[n, k], b: f64[k, m]) {
    let (i, j) = (block.y * blockdim.y + thread.y, block.x * blockdim.x + thread.x)
    if i < n and j < m {
        var s = 0.0
        for l in 0:k { s += a[i, l] * b[l, j] }
        c[i, j] = s
    }
}
fn product_launched(a: f64[n, k], b: f64[k, m]) -> f64[n, m] {
    var c = zeros(f64, n, m)
    launch multiply[(ceildiv(m, 16), ceildiv(n, 16)), (16, 16)](c, a, b)
    return c
}
kernel times(y: out f64[n], a: f64[n, k], x: f64[k]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        var s = 0.0
        for l in 0:k { s += a[i, l] * x[l] }
        y[i] = s
    }
}
fn times_vector(a: f64[n, k], x: f64[k]) -> f64[n] {
    var y = zeros(f64, n)
    launch times[ceildiv(n, 16), 16](y, a, x)
    return y
}
fn ints(a: int[n, k], b: int[k, m]) -> int[n, m] {
    var c = zeros(int, n, m)
    for l in 0:k { for i in 0:n { for j in 0:m { c[i, j] += a[i, l] * b[l, j] } } }
    return c
}
for q in 0:3 {
    let (n, m) = ([1, 3, 5][q], [1, 4, 2][q])
    let x = [f64(3 * i - 2 * j * j) for i in 0:n, j in 0:m]
    let v = [f64((7 * i) % 5) for i in 0:n]
    print(turned(x), backwards(v), down(v), gathered(v, [(2 * i + 1) % n for i in 0:m]), shifted(v), in_place(v))
    print(in_place_down(v), recurrence(v), steps(v), row(x, n // 2), skewed(x), triangle(n), columns(x))
}
for q in 0:3 {
    let (n, k, m) = ([1, 3, 20][q], [1, 2, 30][q], [1, 4, 25][q])
    let (a, b) = ([f64((i * 3 + j * 5) % 7) for i in 0:n, j in 0:k], [f64((i * 2 + j * 3) % 5) - 2 for i in 0:k, j in 0:m])
    let c = a @ b
    print(max(abs(product(a, b) - c)), max(abs(product_outer(a, b) - c)), max(abs(product_turned(a.T, b.T) - c)),
          max(abs(product_rows(a, b) - c)), max(abs(product_parallel(a, b) - c)), max(abs(product_launched(a, b) - c)),
          max(abs(times_vector(a, b[:, 0]) - c[:, 0])), max(abs(ints(int(a), int(b)) - int(c))))
    let g = grad(fn(a) => sum(product(a, b)^2))(a)
    print(max(abs(g - 2 * c @ b.T)))
}
