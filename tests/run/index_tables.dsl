# Arrays of known ints as indices: neighbours, directions, permutations, colours
const cx = [0, 1, 0, -1, 0, 1, -1, -1, 1]
const cy = [0, 0, 1, 0, -1, 1, 1, -1, -1]
const opposite = [0, 3, 4, 1, 2, 7, 8, 5, 6]
kernel stream(f: f64[9, n, m], g: inout f64[9, n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i >= 1 and i < n - 1 and j >= 1 and j < m - 1 {
        for k in 0:9 { g[opposite[k], i, j] = f[k, i - cx[k], j - cy[k]] }
    }
}
kernel exchange(y: inout f64[n], x: f64[n]) {
    let p = [1, 0, 3, 2]
    let t = block.x * blockdim.x + thread.x
    if 4*t + 3 < n {
        for j in 0:4 { y[4*t + p[j]] = x[4*t + j] }
    }
}
kernel through(y: inout f64[n], x: f64[n], p: int[4]) {
    let t = block.x * blockdim.x + thread.x
    if t < 4 { y[p[t]] = 10 * x[t] }
}
fn rows(x: f64[n, 4]) -> f64[n, 4] {
    let p: i32[4] = [2, 0, 3, 1]
    var y = zeros(f64, n, 4)
    parallel for i in 0:n, j in 0:4 { y[i, p[j]] = 2 * x[i, j] }
    return y
}
fn colours(x: f64[n]) -> f64[8] {
    let red = [0, 2, 6, 4]
    let black = [1, 7, 5, 3]
    var y = ones(f64, 8)
    parallel for j in 0:4 { y[red[j]] = y[black[3 - j]] + x[j] }
    return y
}
fn edges(x: f64[4, n]) -> f64[n, 4] {
    let e = [[0, 1], [2, 0], [0, -1], [-1, 0]]
    var y = zeros(f64, n, 4)
    parallel for i in 1:n-2 {
        for k in 0:4 { y[i + e[k, 1], k] = x[k, i + e[k, 0]] }
    }
    return y
}
fn many(x: f64[n]) -> f64[n] {
    let p = [3, 14, 15, 9, 2, 6, 5, 35, 8, 97, 93, 23, 84, 62, 64, 33, 83, 27, 95, 0]
    var y = zeros(f64, n)
    parallel for j in 0:20 {
        if p[j] < n { y[p[j]] = x[j] }
    }
    return y
}
fn fixed(x: f64[6]) -> (f64, f64) {
    let p = [5, 3, 1]
    let q = [2, 4, 6]
    return (sum(x[p[k]] for k in 0:3), sum(x[q[k] - 1] * x[p[k]] for k in 0:3))
}
# an index that leaves the table is one only where it is read
fn guarded(x: f64[n]) -> f64[8] {
    let p = [1, 0, 3, 2]
    var y = zeros(f64, 8)
    parallel for j in 0:8 {
        if j >= 4 or p[j] == 1 { y[j] = x[j] }
        if j < 4 and p[j] == 3 { y[1] += 5 }
    }
    return y
}
let f = [f64(100*k + 10*i + j) for k in 0:9, i in 0:6, j in 0:7]
var g = zeros(f64, 9, 6, 7)
launch stream[(1, 1), (8, 8)](f, g)
print(g[1], sum(g))
let x = [f64(i) for i in 0:24]
var y = zeros(f64, 24)
launch exchange[2, 4](y, x)
launch through[1, 4](y, x, [2, 0, 3, 1])
print(y)
print(rows([[f64(4*i + j) for j in 0:4] for i in 0:3]), colours(x), edges(f[0:4, 2])[1:4])
print(many([f64(i) for i in 0:100])[0:10], fixed(x[0:6]), guarded(x))
