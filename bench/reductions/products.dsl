# Products of matrices as loops, a launch, rows by columns; loops that set elements: dslc build --no-tune --fp=reassoc products.dsl; ./products --n=500
arg n: int = 500
arg way: int = 0
fn loops(a: f64[n, k], b: f64[k, m]) -> f64[n, m] {
    var c = zeros(f64, n, m)
    for i in 0:n { for j in 0:m { for l in 0:k { c[i, j] += a[i, l] * b[l, j] } } }
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
fn launched(a: f64[n, k], b: f64[k, m]) -> f64[n, m] {
    var c = zeros(f64, n, m)
    launch multiply[(ceildiv(m, 16), ceildiv(n, 16)), (16, 16)](c, a, b)
    return c
}
fn rows(a: f64[n, k], b: f64[k, m]) -> f64[n, m] {
    var c = zeros(f64, n, m)
    for i in 0:n { for j in 0:m { c[i, j] = sum(a[i, :] * b[:, j]) } }
    return c
}
fn turned(x: f64[n, m]) -> f64[m, n] {
    var y = zeros(f64, m, n)
    for i in 0:n { for j in 0:m { y[j, i] = x[i, j] } }
    return y
}
fn gathered(x: f64[n], at: int[m]) -> f64[m] {
    var y = zeros(f64, m)
    for i in 0:m { y[i] = x[at[i]] }
    return y
}
var a = rand(1, n, n)
let b = rand(2, n, n)
let at = [(i * 7919) % (n * n) for i in 0:n * n]
var (b0, b1, b2, b3, b4) = (inf, inf, inf, inf, inf)
fn best(t: f64, b: f64) -> f64 = min(b, time() - t)
var s = 0.0
for r in 0:5 {
    a[r % n, 0] = 0.5
    var t = time()
    s += max(loops(a, b))
    b0 = best(t, b0)
    t = time()
    s += max(launched(a, b))
    b1 = best(t, b1)
    t = time()
    s += max(rows(a, b))
    b2 = best(t, b2)
    t = time()
    s += max(turned(a))
    b3 = best(t, b3)
    let x = reshape(a, n * n)
    t = time()
    s += max(gathered(x, at))
    b4 = best(t, b4)
}
print(f"n {n}: ms: loops {b0*1e3:.2f} kernel {b1*1e3:.2f} rows {b2*1e3:.2f} turned {b3*1e3:.3f} gathered {b4*1e3:.3f}  {s:.6f}")
