# Indices that are clamped, mirrored or chosen at the edges of a loop, sizes down to nothing
fn clamped(x: f64[n], k: int) -> f64[n] {
    var y = zeros(f64, n)
    parallel for i in 0:n { y[i] = x[max(i - k, 0)] + 10 * x[min(i + k, n - 1)] }
    return y
}
fn mirrored(x: f64[n]) -> f64[n] {
    var y = zeros(f64, n)
    parallel for i in 0:n {
        let w = if i == 0 { 1 } else { i - 1 }
        let e = if i == n - 1 { n - 2 } else { i + 1 }
        y[i] = x[w] - x[e]
    }
    return y
}
fn backwards(x: f64[n], k: int) -> f64[n] {
    var y = zeros(f64, n)
    parallel for i in 0:n { y[i] = x[max(min(k - i, n - 1), 0)] }
    return y
}
fn parts(x: f64[n], m: int) -> f64[n] {
    var y = x
    parallel for i in 0:n {
        if i < m { y[i] = -x[i] } else if i == m { y[i] = 100 } else { y[i] = x[i - 1] }
    }
    return y
}
for n in 0:4 {
    let x = [f64(i + 1) for i in 0:n]
    print(n, clamped(x, 1), clamped(x, 2), backwards(x, 1))
}
let x = [f64(i * i % 11) for i in 0:70]
print(clamped(x, 1)[0:70:23], clamped(x, 40), clamped(x, 100)[5])
print(mirrored(x))
print(backwards(x, 0)[0:3], backwards(x, 69), backwards(x, 90), backwards(x, -5)[7], backwards(x, 33))
print(parts(x, 0)[0:4], parts(x, 35), parts(x, 70)[60:], parts(x, 69)[60:])

kernel smooth(next: out f64[n, m], u: f64[n, m]) {
    shared tile: f64[4, 8]
    let y = block.y * 4 + thread.y
    let x = block.x * 8 + thread.x
    let top = min(3, n - 1 - block.y * 4)
    let right = min(7, m - 1 - block.x * 8)
    if y < n and x < m { tile[thread.y, thread.x] = u[y, x] }
    barrier
    let west = max(thread.x - 1, 0)
    let east = min(thread.x + 1, right)
    let south = min(thread.y + 1, top)
    if y < n and x < m { next[y, x] = tile[thread.y, west] + tile[thread.y, east] - 2 * tile[south, thread.x] }
}
fn smoothed(u: f64[n, m]) -> f64[n, m] {
    var r = u
    launch smooth[(ceildiv(m, 8), ceildiv(n, 4)), (8, 4)](r, u)
    return r
}
print(smoothed([[f64(i * j % 7) for j in 0:11] for i in 0:6]), smoothed(ones(f64, 1, 1)), smoothed([[1.0, 4.0, 9.0]]))
