# Sums inside kernels and parallel loops: vectors go across the iterations, and the bits stay
kernel pull(v: inout f64[n], x: f64[n], m: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i >= n { return }
    var a = 0.0
    for j in 0:n {
        let r = x[j] - x[i]
        a += m[j] * r / (r * r + 0.01)
    }
    v[i] += a
}

kernel product(c: out f32[n, m], a: f32[n, k], b: f32[k, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < n and j < m {
        var s = f32(0)
        for l in 0:k { s += a[i, l] * b[l, j] }
        c[i, j] = s
    }
}

fn tridiagonal(d: f64[n, m]) -> f64[n, m] {
    var y = zeros(f64, n, m)
    parallel for j in 0:m {
        var carry = 1.0
        for i in 0:n {
            carry = d[i, j] / (2.5 - carry)
            y[i, j] = carry
        }
    }
    return y
}

let x = [f64(i * 37 % 101) / 101 for i in 0:45]
var v = zeros(f64, 45)
launch pull[6, 8](v, x, x * 0.5)
launch pull[2, 32](v, x, x * 0.25)
print(v)
let a = [f32((i * 7 + j) % 5) / f32(5) for i in 0:9, j in 0:6]
let b = [f32((i * 3 + j) % 7) / f32(7) for i in 0:6, j in 0:35]
var c = zeros(f32, 9, 35)
launch product[(2, 3), (32, 4)](c, a, b)
print(c[8], sum(c))
print(sum(tridiagonal([f64((i + j) % 3) for i in 0:12, j in 0:19])))
