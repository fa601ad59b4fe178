# Launches that end before the arrays that they write, and others that do not
kernel step(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = 2 * x[i] }
}
fn down(x: f64[n]) -> f64[n] {
    var y = zeros(f64, n)
    launch step[n // 64, 64](y, x)
    return y
}
export fn any_size(x: f64[n]) -> f64[n] {
    var y = zeros(f64, n)
    launch step[n // 64, 64](y, x)
    return y
}
fn up(x: f64[n]) -> f64[n] {
    var y = zeros(f64, n)
    launch step[ceildiv(n, 64), 64](y, x)
    return y
}
fn sure(x: f64[n]) -> f64[n] {
    assert n % 64 == 0
    var y = zeros(f64, n)
    launch step[n // 64, 64](y, x)
    return y
}
var y = zeros(f64, 1000)
launch step[10, 64](y, ones(f64, 1000))
var z = zeros(f64, 640)
launch step[10, 64](z, ones(f64, 640))
print(sum(y), sum(z), sum(down(y)), sum(up(y)), sum(sure(z)))
kernel tile(y: out f64[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < n and j < m { y[i, j] = 1.0 }
}
var a = zeros(f64, 30, 50)
launch tile[(2, 4), (16, 16)](a)
var b = zeros(f64, 30, 50)
launch tile[(4, 2), (16, 16)](b)
kernel plain(y: out f64[n]) { y[block.x * blockdim.x + thread.x] = 1.0 }
var c = zeros(f64, 100)
launch plain[1, 64](c)
var d = zeros(f64, 64)
launch plain[1, 64](d)
kernel halves(y: out f64[n], from: int) {
    let i = from + block.x * blockdim.x + thread.x
    if i < n { y[i] = 1.0 }
}
var e = zeros(f64, 128)
launch halves[1, 64](e, 0)
launch halves[1, 64](e, 64)
kernel inner(y: out f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i > 0 and i < n - 1 { y[i] = 1.0 }
}
var f = zeros(f64, 130)
launch inner[2, 64](f)
launch inner[ceildiv(130, 64), 64](f)
# An assert that only says that there is something does not settle it.
export fn some_steps(x: f64[n], steps: int) -> f64[n] {
    assert n > 0 and steps >= 0
    var now = x
    for t in 0:steps {
        var next = zeros(f64, n)
        launch step[n // 64, 64](next, now)
        now = next
    }
    return now
}
print(sum(some_steps(y, 1)))
# Ints are the x axis alone; a kernel that uses y then has one row of threads.
var a1 = zeros(f64, 30, 50)
launch tile[4, 16](a1)
kernel fill(y: inout f64[n, m], from: int) {
    let i = from + block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < n and j < m { y[i, j] += 1.0 }
}
var g = zeros(f64, 10, 10)
launch fill[1, 10](g, 0)
var h = zeros(f64, 10, 10)
launch fill[(1, 2), (10, 4)](h, 0)
# One row of one, all rows one after the other, and a kernel that writes one row on purpose
var one_row = zeros(f64, 1, 10)
launch fill[1, 10](one_row, 0)
var rows = zeros(f64, 10, 10)
for i in 0:10 { launch fill[1, 10](rows, i) }
kernel top(y: inout f64[n, m]) {
    let j = block.x * blockdim.x + thread.x
    if j < m { y[0, j] = 1.0 }
}
var t = zeros(f64, 10, 10)
launch top[1, 10](t)
kernel first_of_each(y: out f64[n, m]) {
    let i = block.y * blockdim.y + thread.y
    if i < n { y[i, 0] = 1.0 }
}
var u = zeros(f64, 10, 10)
launch first_of_each[(1, 10), 1](u)
