# Arrays so short, as the compiler knows, that the launch writes nothing of the copy
kernel step(p: out f64[n], u: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i >= 2 and i < n - 2 { p[i] = 2 * u[i - 2] + 3 * u[i + 2] }
}
fn turned(u: f64[n]) -> f64[n] {
    var p = u
    launch step[n // 4 + 1, 4](p, u)
    return p + u
}
print(turned([3.0]), turned([3.0, 4.0]), turned([3.0, 4.0, 5.0, 6.0]), turned([3.0, 4.0, 5.0, 6.0, 7.0]))

# More threads than elements, behind a barrier: those that have none copy none
kernel halves(p: inout f64[n], u: f64[n]) {
    shared s: f64[8]
    let tx = thread.x
    let i = block.x * blockdim.x + tx
    s[tx] = if i < n { u[i] } else { 0.0 }
    barrier
    if i < n { p[i] = 0.5 * p[i] + s[(tx + 1) % 8] }
}
kernel some(p: out f64[n], u: f64[n]) {
    shared s: f64[8]
    let tx = thread.x
    let i = block.x * blockdim.x + tx
    s[tx] = if i < n { u[i] } else { 0.0 }
    barrier
    if i < n and i % 2 == 1 { p[i] = s[7 - tx] }
}
fn both(u: f64[n]) -> f64[n] {
    var p = u
    var q = u
    launch halves[ceildiv(n, 8), 8](p, u)
    launch some[ceildiv(n, 8), 8](q, u)
    return 100 * p + 10 * q + u
}
print(both([3.0, 4.0, 5.0]), both([1.0]), both([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]))

# Branches that store or do not, around what is outside of the array; work beside the rows
kernel edges(next: out f64[n], u: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i >= 1 and i < n - 1 { next[i] = u[i - 1] + u[i + 1] } else if i < n { next[i] = 9 }
}
fn shifted(u: f64[n]) -> f64[n] {
    var next = u
    parallel for i in 0:n { if u[i] > 0 { if i >= 1 { next[i - 1] = u[i] } } }
    return next + u
}
fn ranged(u: f64[n, m], i0: int, i1: int) -> f64[n, m] {
    var a = u
    parallel for i in i0:i1, j in i0:i1 { if i >= 0 and i < n and j >= 0 and j < m { a[i, j] = 3 * u[i, j] + 1 } }
    return a + u
}
fn beside(u: f64[n, m]) -> (f64[n, m], f64[n]) {
    var next = u
    var s = zeros(f64, n)
    parallel for i in 0:n {
        for j in 1:m - 1 { next[i, j] = 2 * u[i, j] }
        s[i] = 7
    }
    return (next + u, s)
}
kernel two(next: out f64[n, m], big: out f64[p, m], u: f64[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < p and j < m {
        if i < n and i >= 1 { next[i - 1, j] = u[i, j] + 1 }
        big[i, j] = 7
    }
}
for n in [3, 70] {
    let u = [f64(i % 5) for i in 0:n]
    var e = u
    launch edges[ceildiv(n, 64), 64](e, u)
    print(sum(e + u), e[0], e[n - 1], sum(shifted(u)))
}
for m in [1, 2, 3, 20] {
    let u = [f64(i + j) for i in 0:4, j in 0:m]
    print(beside(u))
    for p in [2, 4, 6] {
        var next = u
        var s = zeros(f64, p, m)
        launch two[(m // 4 + 1, p // 4 + 1), (4, 4)](next, s, u)
        print(sum(next + u), sum(s), sum(ranged(u, -1, p)), sum(ranged(u, 3, p)))
    }
}
