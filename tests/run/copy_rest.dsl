# A launch that writes the inside of a copy: only the rest is copied. The same values as with the whole copy.

kernel rod(next: out f64[n], u: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i >= 1 and i < n - 1 { next[i] = u[i - 1] + 2 * u[i] + u[i + 1] }
}
kernel plate(next: out f64[n, m], u: f64[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i >= 1 and i < n - 1 and j >= 2 and j < m - 1 { next[i, j] = u[i - 1, j] + u[i + 1, j] + u[i, j - 2] + u[i, j + 1] }
}
kernel block3(next: out i64[a, b, c], u: i64[a, b, c]) {
    let z = block.z * blockdim.z + thread.z
    let y = block.y * blockdim.y + thread.y
    let x = block.x * blockdim.x + thread.x
    if z >= 1 and z < a - 1 and y >= 1 and y < b - 1 and x >= 1 and x < c - 1 {
        next[z, y, x] = u[z - 1, y, x] + u[z + 1, y, x] - u[z, y - 1, x] + u[z, y, x + 1]
    }
}
## Two arrays at once; the second is read before it is written
kernel pair(p: out f64[n, m], q: inout f64[n, m], u: f64[n, m], v: f64[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < n - 1 and j >= 1 and j < m {
        p[i, j] = u[i + 1, j] - v[i, j - 1]
        q[i, j] += u[i, j]
    }
}
## Only some of the elements
kernel odd_rows(next: out f64[n, m], u: f64[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < n and j < m {
        if i % 2 == 1 { next[i, j] = 3 * u[i, j] } else if j == 2 { next[i, j] = -1 }
    }
}
## Walls in branches of their own: all elements
kernel walls(next: out f64[n, m], u: f64[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < n and j < m {
        if i == 0 or j == 0 or i == n - 1 or j == m - 1 { next[i, j] = 0 } else { next[i, j] = u[i - 1, j] + u[i, j - 1] }
    }
}
## As many rows as a number says
kernel upper(next: out f64[n, m], u: f64[n, m], rows: int) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < n and i < rows and j < m { next[i, j] = u[i, j] + 100 }
}

fn turns_of_rod(u0: f64[n], turns: int) -> f64[n] {
    var u = u0
    for t in 0:turns {
        var next = u
        launch rod[(n // 4 + 1), 4](next, u)
        u = next
    }
    return u
}
fn turns_of_plate(u0: f64[n, m], turns: int) -> f64[n, m] {
    var u = u0
    for t in 0:turns {
        var next = u
        launch plate[((m // 4 + 1), (n // 4 + 1)), (4, 4)](next, u)
        u = next
    }
    return u
}
fn turns_of_block(u0: i64[a, b, c], turns: int) -> i64[a, b, c] {
    var u = u0
    for t in 0:turns {
        var next = u
        launch block3[((c // 4 + 1), (b // 4 + 1), (a // 4 + 1)), (4, 4, 4)](next, u)
        u = next
    }
    return u
}
fn once(u: f64[n, m], rows: int) -> (f64[n, m], f64[n, m], f64[n, m], f64[n, m], f64[n, m]) {
    let grid = ((m // 4 + 1), (n // 4 + 1))
    var p = u
    var q = u
    var o = u
    var w = u
    var r = u
    launch pair[grid, (4, 4)](p, q, u, u)
    launch odd_rows[grid, (4, 4)](o, u)
    launch walls[grid, (4, 4)](w, u)
    launch upper[grid, (4, 4)](r, u, rows)
    return (p, q, o, w, r)
}
## A parallel loop of the host, and rows that it writes whole
fn by_loops(u0: f64[n, m], turns: int) -> f64[n, m] {
    var u = u0
    for t in 0:turns {
        var next = u
        parallel for i in 1:n - 1 {
            let scale = 0.5 * f64(i)
            for j in 0:m { next[i, j] = scale * u[i - 1, j] + u[i + 1, j] }
        }
        u = next
    }
    return u
}
## The old values are needed behind the loop, too
fn kept(u: f64[n, m]) -> f64 {
    var total = 0.0
    for k in 0:3 {
        var next = u
        launch plate[((m // 4 + 1), (n // 4 + 1)), (4, 4)](next, u)
        total += sum(next) * f64(k + 1)
    }
    return total + sum(u)
}

for n in [0, 1, 2, 3, 4, 9] {
    let u = [f64(i * i % 7) for i in 0:n]
    print(n, turns_of_rod(u, 3))
}
for n in [0, 1, 2, 3, 5, 40] {
    for m in [1, 2, 3, 4, 40] {
        let u = [f64((3 * i + j * j) % 11) for i in 0:n, j in 0:m]
        let (p, q, o, w, r) = once(u, n - 2)
        let weights = [f64(1 + (5 * i + 3 * j) % 13) for i in 0:n, j in 0:m]
        print(n, m, sum(weights * turns_of_plate(u, 3)), sum(weights * p), sum(weights * q), sum(weights * o), sum(weights * w),
            sum(weights * r), sum(weights * by_loops(u, 4)), kept(u))
    }
}
let cube = [i64((2 * i + 3 * j + 5 * k) % 7) for i in 0:6, j in 0:5, k in 0:20]
let turned = turns_of_block(cube, 5)
print(turned[2, 2, :], turned[0, 0, 3], turned[5, 4, 19], sum(turned))

## Its derivative
fn measured(u: f64[n, m]) -> f64 = sum(turns_of_plate(u, 2)^2)
print(sum(grad(measured)([f64((3 * i + j * j) % 11) for i in 0:7, j in 0:20])))

## Serial loops of the host, which read what was there before
fn serially(u0: f64[n, m], turns: int) -> f64[n, m] {
    var u = u0
    for t in 0:turns {
        var next = u
        for i in 1:n - 1 { for j in 2:m { next[i, j] = u[i - 1, j] + u[i + 1, j] - u[i, j - 2] } }
        u = next
    }
    return u
}
for n in [2, 3, 30] { print(serially([f64((3 * i + j * j) % 11) for i in 0:n, j in 0:n], 4)[n // 2, :]) }
