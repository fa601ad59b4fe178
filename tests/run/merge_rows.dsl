# Launches over rows, then over rows and columns: one loop where rows keep to themselves, two where they read their neighbours
const n = 37

kernel factors(m: inout f64[n, n], a: f64[n, n], t: int) {
    let i = block.x * blockdim.x + thread.x
    if i < n - 1 - t { m[i + t + 1, t] = a[i + t + 1, t] / a[t, t] }
}

kernel rows(a: inout f64[n, n], b: inout f64[n], m: f64[n, n], t: int) {
    let x = block.x * blockdim.x + thread.x
    let y = block.y * blockdim.y + thread.y
    if x < n - 1 - t and y < n - t {
        a[x + 1 + t, y + t] -= m[x + 1 + t, t] * a[t, y + t]
        if y == 0 { b[x + 1 + t] -= m[x + 1 + t, t] * b[t] }
    }
}

kernel firsts(f: inout f64[n], a: f64[n, n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { f[i] = a[i, 0] * 2 }
}

kernel shifted(a: inout f64[n, n], f: f64[n]) {
    let x = block.x * blockdim.x + thread.x
    let y = block.y * blockdim.y + thread.y
    if x < n and y < n { a[x, y] += f[(x + 1) % n] * (y + 1) }
}

var a = [if i == j { 50.0 + i } else { f64((i * 13 + j * 7) % 11) } for i in 0:n, j in 0:n]
var b = [f64(i % 5) for i in 0:n]
var m = zeros(f64, n, n)
for t in 0:n - 1 {
    launch factors[ceildiv(n, 16), 16](m, a, t)
    launch rows[(ceildiv(n, 16), ceildiv(n, 16)), (16, 16)](a, b, m, t)
}
print(sum(a), sum(b), sum(m), a[n - 1, n - 1], b[n - 1], a[5, 9], m[9, 5])
var f = zeros(f64, n)
launch firsts[ceildiv(n, 16), 16](f, a)
launch shifted[(ceildiv(n, 16), ceildiv(n, 16)), (16, 16)](a, f)
print(sum(a), a[n - 1, 3], a[0, 0], sum(f))
