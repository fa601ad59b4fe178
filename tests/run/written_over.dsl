# Copies that launches write over: where all of it is, none is made on a GPU (codegen/whole.c); what is left alone keeps its values
kernel all(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = 2 * x[i] }
}
kernel returns(y: out f64[n], x: f64[n]) {
    let i = thread.x + blockdim.x * block.x
    if i >= n { return }
    var s = x[i]
    for k in 0:3 { s += x[(i + k) % n] }
    y[i] = s
}
kernel plane(y: out f64[r, c], x: f64[r, c]) {
    let (i, j) = (block.y * blockdim.y + thread.y, block.x * blockdim.x + thread.x)
    if i < r and j < c { y[i, j] = x[i, j] + 1 }
}
kernel turned(y: out f64[r, c], x: f64[r, c]) {
    let (j, i) = (block.y * blockdim.y + thread.y, block.x * blockdim.x + thread.x)
    if i >= r or j >= c { return }
    y[i, j] = x[i, j] - 1
}
kernel inner(y: inout f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i > 0 and i < n - 1 { y[i] = x[i - 1] + x[i + 1] }
}
kernel some(y: inout f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n and x[i] > 5 { y[i] = -x[i] }
}
kernel half(y: inout f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if 2 * i < n { y[2 * i] = x[i] }
}
kernel diagonal(y: inout f64[n, n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i, i] = x[i] }
}
kernel adds(y: inout f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = y[i] + x[i] }
}
kernel own(y: out f64[g, t], x: f64[g, t]) { y[block.x, thread.x] = x[block.x, thread.x] * 3 }

fn vectors(x: f64[n]) -> (f64, f64, f64, f64, f64, f64) {
    var a = x
    launch all[ceildiv(n, 64), 64](a, x)
    var b = a
    launch returns[ceildiv(n, 32), 32](b, a)
    var c = a
    launch inner[ceildiv(n, 64), 64](c, b)
    var d = a
    launch some[ceildiv(n, 64), 64](d, x)
    var e = b
    launch half[ceildiv(n, 64), 64](e, x)
    var f = b
    launch adds[ceildiv(n, 64), 64](f, a)
    return (sum(a), sum(b), sum(c), sum(d), sum(e), sum(f) + x[n - 1])
}
fn matrices(x: f64[r, c]) -> (f64, f64, f64, f64) {
    var a = x
    launch plane[(ceildiv(r, 4), ceildiv(c, 32)), (4, 32)](a, x)
    var b = a
    launch turned[(ceildiv(c, 8), ceildiv(r, 8)), (8, 8)](b, a)
    var d = a
    launch own[r, c](d, b)
    var f = a
    parallel for i in 0:r, j in 0:c { f[i, j] = x[i, j] * 0.5 }
    return (sum(a), sum(b), sum(d), sum(f))
}
print(vectors([f64(i % 11) for i in 0:1000]), vectors([f64(i) for i in 0:3]))
print(matrices([f64(i * j % 13) for i in 0:50, j in 0:70]), matrices([1.0 for i in 0:1, j in 0:1]))
# Less blocks than it takes, and sizes that are known
let x = [f64(i) for i in 0:256]
var (few, enough, square) = (x, x, zeros(f64, 16, 16))
let before = square
launch some[2, 64](few, x)
launch all[4, 64](enough, x)
launch diagonal[1, 16](square, x[0:16])
print(sum(few), sum(enough), sum(square), sum(before))
# A loop over time: old and new change places
var (old, new) = (x, x)
for t in 0:5 {
    let was = new
    launch all[4, 64](new, old)
    old = was
}
print(sum(old), sum(new), sum(x))
