# Products whose guards are ints that are no sizes of the arrays, with a value of the row: the variants of one kernel agree.
fn count(k: int) -> int = int(sum(ones(f64, k)))

kernel bias_row(c: inout f32[m, n], a: f32[m, p], b: f32[p, n], bias: f32[q], o: int, s: int) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < o and j < s {
        let start = bias[i]
        var r = start
        for k in 0:p { r += a[i, k] * b[k, j] }
        c[i, j] = r
    }
}
kernel bias_column(c: inout f64[m, n], a: f64[m, p], b: f64[p, n], bias: f64[q], o: int, s: int) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i >= o or j >= s { return }
    var r = bias[j]
    for k in 0:p { r += a[i, k] * b[k, j] }
    c[i, j] = r
}
kernel scale_bias(c: inout f64[m, n], a: f64[m, p], b: f64[p, n], scale: f64[q], bias: f64[q2], o: int, s: int) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < o {
        let by = scale[i + 1]
        if j < s {
            var r = 0.0
            var k = 0
            while k < p {
                r += a[i, k] * b[k, j]
                k += 1
            }
            c[i, j] = by * r + bias[j]
        }
    }
}
kernel batch(c: inout f64[z, m, n], a: f64[z, m, p], b: f64[z, p, n], bias: f64[q], layers: int, o: int, s: int) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    let l = block.z
    if l < layers and i < o and j < s {
        var r = bias[l]
        for k in 0:p { r += a[l, i, k] * b[l, k, j] }
        c[l, i, j] = r
    }
}
kernel transposed(c: inout f32[m, n], a: f32[m, p], b: f32[n, p], bias: f32[q], o: int, s: int) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < o and j < s {
        var r = bias[i]
        for k in 0:p { r += a[i, k] * b[j, k] }
        c[i, j] = r
    }
}
kernel flat(c: inout f64[mn], a: f64[mp], b: f64[pn], bias: f64[q], o: int, s: int, p: int) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < o and j < s {
        var r = bias[i]
        for k in 0:p { r += a[i * p + k] * b[k * s + j] }
        c[i * s + j] = r
    }
}

let m = count(37)
let n = count(133)
let p = count(29)
let a = [f64((i * 7 + k * 3) % 11 - 5) for i in 0:m, k in 0:p]
let b = [f64((k * 5 + j) % 13 - 6) for k in 0:p, j in 0:n]
let x = [f64(i % 10) for i in 0:200]
let a4 = [f32(a[i, k]) for i in 0:m, k in 0:p]
let b4 = [f32(b[k, j]) for k in 0:p, j in 0:n]
let x4 = [f32(v) for v in x]
let want = a @ b
let grid = (ceildiv(n, 16), ceildiv(m, 16))

fn compare(name: str, got: f64[m, n], want: f64[m, n], o: int, s: int) {
    let wrong = sum(if got[i, j] != (if i < o and j < s { want[i, j] } else { -1.0 }) { 1 } else { 0 } for i in 0:m, j in 0:n)
    print(name, wrong, sum(got))
}

for part in 0:3 {
    let o = count(m - 5 * part)
    let s = count(n - 17 * part)
    var c4 = [f32(-1) for i in 0:m, j in 0:n]
    launch bias_row[grid, (16, 16)](c4, a4, b4, x4, o, s)
    compare("row", [f64(c4[i, j]) for i in 0:m, j in 0:n], [want[i, j] + x[i] for i in 0:m, j in 0:n], o, s)
    var c = [-1.0 for i in 0:m, j in 0:n]
    launch bias_column[grid, (16, 16)](c, a, b, x, o, s)
    compare("column", c, [want[i, j] + x[j] for i in 0:m, j in 0:n], o, s)
    c = [-1.0 for i in 0:m, j in 0:n]
    launch scale_bias[grid, (16, 16)](c, a, b, x, x, o, s)
    compare("scale", c, [want[i, j] * x[i + 1] + x[j] for i in 0:m, j in 0:n], o, s)
    var layers = [-1.0 for l in 0:3, i in 0:m, j in 0:n]
    launch batch[(ceildiv(n, 16), ceildiv(m, 16), 3), (16, 16, 1)](layers, [a[i, k] * f64(l) for l in 0:3, i in 0:m, k in 0:p],
        [b[k, j] for l in 0:3, k in 0:p, j in 0:n], x, count(3), o, s)
    for l in 0:3 { compare("batch", layers[l], [want[i, j] * f64(l) + x[l] for i in 0:m, j in 0:n], o, s) }
    c4 = [f32(-1) for i in 0:m, j in 0:n]
    launch transposed[grid, (16, 16)](c4, a4, [b4[k, j] for j in 0:n, k in 0:p], x4, o, s)
    compare("transposed", [f64(c4[i, j]) for i in 0:m, j in 0:n], [want[i, j] + x[i] for i in 0:m, j in 0:n], o, s)
    var line = [-1.0 for i in 0:m * n]
    launch flat[grid, (16, 16)](line, [a[i // p, i % p] for i in 0:m * p], [b[i // n, i % n] for i in 0:p * n], x, o, count(n), p)
    compare("flat", [line[i * n + j] for i in 0:m, j in 0:n], [want[i, j] + x[i] for i in 0:m, j in 0:n], o, n)
}
