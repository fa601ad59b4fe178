# Launches that write all elements of an array that was filled, or nearly all
kernel planes(y: out f64[n, 3], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i, 0] = x[i]; y[i, 2] = -x[i]; y[i, 1] = 2 * x[i] }
}
kernel one_plane_less(y: out f64[n, 3], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i, 0] = x[i]; y[i, 2] = -x[i] }
}
kernel chosen_plane(y: out f64[n, 2], x: f64[n], k: int) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i, 0] = x[i]; y[i, k] = -x[i] }
}
kernel columns(y: out f64[n, m], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { for c in 0:m { y[i, c] = x[i] + c } }
}
kernel some_columns(y: out f64[n, m], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { for c in 1:m { y[i, c] = x[i] + c } }
}
kernel turned(y: inout f64[m, n], x: f64[n, m]) {
    let i = block.x * blockdim.x + thread.x
    let j = block.y * blockdim.y + thread.y
    if i < n and j < m { y[j, i] += x[i, j] }
}
kernel doubled(y: inout f32[n], x: f32[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] *= 2 * x[i] }
}
kernel reversed(y: inout int[n], x: int[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[n - 1 - i] = y[n - 1 - i] - x[i] }
}
kernel scattered(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[(i + 2) % n] = x[i] }
}
kernel last_but_one(y: inout f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n - 1 { y[i + 1] += x[i] }
}
kernel by_first(y: inout f64[n], x: f64[n]) {
    shared s: f64[4, 4]
    let t = thread.x
    s[thread.y, t] = x[block.x * 4 + thread.y] * t
    barrier
    if t == 0 { y[block.x * 4 + thread.y] += s[thread.y, 1] + s[thread.y, 3] }
}
kernel by_some(y: inout f64[n], x: f64[n]) {
    shared s: f64[4, 4]
    let t = thread.x
    s[thread.y, t] = x[block.x * 4 + thread.y] * t
    barrier
    if t == 0 and thread.y > 0 { y[block.x * 4 + thread.y] += s[thread.y, 1] + s[thread.y, 3] }
}
kernel by_nobody(y: inout f64[n], x: f64[n]) {
    shared s: f64[4, 4]
    let t = thread.x
    s[thread.y, t] = x[block.x * 4 + thread.y] * t
    barrier
    if t == 0 {
        if t == 1 { y[block.x * 4 + thread.y] += s[thread.y, 1] + s[thread.y, 3] }
    }
}
kernel neighbours(y: inout f64[n], old: out f64[n], x: f64[n]) {
    let i = thread.x
    old[i] = y[(i + 1) % n]
    barrier
    y[i] = x[i]
}
kernel corner(y: out f64[p], n: int, m: int) {
    let i = thread.x
    let j = thread.y
    if i < n - 2 and j < m - 2 { y[i * (m - 2) + j] = 1.0 }
}
fn grid(n: int) -> int = ceildiv(n, 8)
fn all(x: f64[n], k: int) {
    var (a, b, c, d, e, f) = (zeros(f64, n, 3), full(1.5, n, 3), zeros(f64, n, 2), zeros(f64, n, 4), full(0.5, n, 4), zeros(f64, n))
    launch planes[grid(n), 8](a, x)
    launch one_plane_less[grid(n), 8](b, x)
    launch chosen_plane[grid(n), 8](c, x, k)
    launch columns[grid(n), 8](d, x)
    launch some_columns[grid(n), 8](e, x)
    launch scattered[grid(n), 8](f, x)
    print(a, b, c, d, e, f)
}
all(linspace(1.0, 2.0, 5), 0)
all(linspace(1.0, 2.0, 4), 1)
fn more(x: f64[n, m], z: f32[n], k: int[n]) {
    var (a, b, c, d) = (full(2.0, m, n), full(f32(3), n), full(7, n), full(-0.0, n))
    launch turned[(grid(n), grid(m)), (8, 8)](a, x)
    launch doubled[grid(n), 8](b, z)
    launch reversed[grid(n), 8](c, k)
    launch last_but_one[grid(n), 8](d, -x[:, 0] * 0)
    print(a, b, c, d)
}
more([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [f32(1), 2, 3], [1, 2, 3])
let x = linspace(1.0, 2.0, 8)
var (y, z) = (zeros(f64, 8), full(0.25, 8))
launch by_first[2, (4, 4)](y, x)
launch by_some[2, (4, 4)](z, x)
var (u, old) = (full(9.0, 8), zeros(f64, 8))
launch neighbours[1, 8](u, old, x)
print(y, z, u, old)
var none = full(0.5, 8)
launch by_nobody[2, (4, 4)](none, x)
print(none)
fn cut(n: int, m: int) -> f64[(n - 2) * (m - 2)] {
    var y = zeros(f64, (n - 2) * (m - 2))
    launch corner[1, (8, 8)](y, n, m)
    return y
}
print(cut(4, 5), cut(1, 1), cut(2, 7))
