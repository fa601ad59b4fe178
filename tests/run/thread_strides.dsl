# Loops that threads of a block, or of the grid, share by strides
const B = 16
const G = 3

# A row by a block: two loops that carry, trees, one that writes
kernel softmax(y: out f64[n, m], x: f64[n, m]) {
    shared s: f64[B]
    let t = thread.x
    let i = block.x
    var top = -inf
    for j in t:m:B { top = max(top, x[i, j]) }
    s[t] = top
    barrier
    for q in 0:4 {
        if t < 8 >> q { s[t] = max(s[t], s[t + (8 >> q)]) }
        barrier
    }
    top = s[0]
    barrier
    var total = 0.0
    for j in t:m:B { total += exp(x[i, j] - top) }
    s[t] = total
    barrier
    for q in 0:4 {
        if t < 8 >> q { s[t] += s[t + (8 >> q)] }
        barrier
    }
    for j in t:m:B { y[i, j] = exp(x[i, j] - top) / s[0] }
}
fn by_blocks(x: f64[n, m]) -> f64[n, m] {
    var y = zeros(f64, n, m)
    launch softmax[n, B](y, x)
    return y
}
fn plain(x: f64[n, m]) -> f64[n, m] {
    let e = [exp(x[i, j] - max(x[i, k] for k in 0:m)) for i in 0:n, j in 0:m]
    return [e[i, j] / sum(e[i, k] for k in 0:m) for i in 0:n, j in 0:m]
}

# Over the grid, all that the launch does; with an offset; and added up by each thread
kernel over_grid(y: inout f64[n], x: f64[n], a: f64) {
    var i = block.x * blockdim.x + thread.x
    while i < n {
        y[i] = a * x[i] * x[i] + y[i]
        i += blockdim.x * griddim.x
    }
}
kernel inner_of(y: inout f64[n], x: f64[n]) {
    var i = block.x * B + thread.x + 2
    while i < n - 1 {
        y[i] = x[i - 1] + 2 * x[i + 1] * x[i]
        i += B * G
    }
}
kernel parts(out: out f64[b], least: out f64[b], x: f64[n]) {
    shared s: f64[B]
    shared u: f64[B]
    let t = thread.x
    var total = 0.0
    var low = inf
    var i = block.x * B + t
    while i < n {
        total += x[i] * x[i]
        if x[i] < low { low = x[i] }
        i += B * G
    }
    s[t] = total
    u[t] = low
    barrier
    if t == 0 {
        var all = 0.0
        var lowest = inf
        for k in 0:B {
            all += s[k]
            lowest = min(lowest, u[k])
        }
        out[block.x] = all
        least[block.x] = lowest
    }
}
fn squares(x: f64[n], a: f64) -> f64[n] {
    var y = x
    launch over_grid[G, B](y, x, a)
    launch inner_of[G, B](y, x + y)
    return y
}
fn plain_squares(x: f64[n], a: f64) -> f64[n] {
    let y = a * x^2 + x
    let z = x + y
    return [if i >= 2 and i < n - 1 { z[i - 1] + 2 * z[min(i + 1, n - 1)] * z[i] } else { y[i] } for i in 0:n]
}
fn norm2(x: f64[n]) -> f64 {
    var out = zeros(f64, G)
    var least = zeros(f64, G)
    launch parts[G, B](out, least, x)
    return sum(out) + 100 * min(least)
}

# What stays: turns of which one reads what the thread's last one wrote, and what differs from thread to thread
kernel behind(y: inout f64[n], w: inout f64[n], x: f64[n]) {
    shared s: f64[64]
    let t = thread.x
    for j in t + B:n:B { y[j] = y[j - B] + x[j] }
    for j in t:n:B { w[j] = x[j] + f64(t) }
    for j in t:64:B { s[j] = x[j % n] }
    for j in t:n:B { w[j] += 2 * s[j % 16 + 16 * (t % 2) - 16 * (t % 2)] }
    var r = 0.0
    for j in t:64:B { r += s[j] }
    barrier
    for j in t:64:B { s[j] = s[j] + r }
    barrier
    if t == 0 { for k in 0:n { w[k] += s[63 - k % 64] } }
}
# By two indices of the threads
kernel planes(y: out f64[n, m], x: f64[n, m]) {
    for j in thread.x:m:B {
        y[block.x * 4 + thread.y, j] = 3 * x[block.x * 4 + thread.y, j]
    }
}
# By all threads of a block with two axes: what fills a tile is computed
kernel tiles(v: out f64[n, m], u: f64[n, m]) {
    shared s: f64[6, 6]
    for k in thread.y * 4 + thread.x:36:16 {
        let i = min(max(block.y * 4 - 1 + k // 6, 0), n - 1)
        let j = min(max(block.x * 4 - 1 + k % 6, 0), m - 1)
        s[k // 6, k % 6] = exp(sin(u[i, j])) * exp(u[i, j] / 2)
    }
    barrier
    let i = block.y * 4 + thread.y
    let j = block.x * 4 + thread.x
    if i < n and j < m {
        v[i, j] = s[thread.y, thread.x + 1] - 2 * s[thread.y + 2, thread.x + 1] + s[thread.y + 1, thread.x]
    }
}

fn line(n: int) -> f64[n] = [f64((i * 7) % 11 - 4) / 4 for i in 0:n]
fn table(n: int, m: int) -> f64[n, m] = [f64((i * 7 + j * 5) % 13 - 6) / 4 for i in 0:n, j in 0:m]
fn gap(x: f64[n], y: f64[n]) -> bool = max(abs(x - y)) < 1e-12

for m in [1, 15, 16, 17, 40] {
    let x = table(4, m)
    let w = table(4, m)
    let g = grad(fn(x) => sum(w * by_blocks(x)))(x)
    let h = grad(fn(x) => sum(w * plain(x)))(x)
    print(m, gap(flatten(by_blocks(x)), flatten(plain(x))), gap(flatten(g), flatten(h)))
    var y = zeros(f64, 4, m)
    launch planes[1, (B, 4)](y, x)
    var v = zeros(f64, 4, m)
    launch tiles[(ceildiv(m, 4), 1), (4, 4)](v, x)
    let e = exp(sin(x)) * exp(x / 2)
    let z = [e[max(i - 1, 0), j] - 2 * e[min(i + 1, 3), j] + e[i, max(j - 1, 0)] for i in 0:4, j in 0:m]
    print("  ", sum(abs(y - 3 * x)), gap(flatten(v), flatten(z)))
}
for n in [3, 47, 48, 49, 150] {
    let x = line(n)
    let d = grad(fn(x) => sum(squares(x, 0.5)^2))(x)
    let e = grad(fn(x) => sum(plain_squares(x, 0.5)^2))(x)
    print(n, gap(squares(x, 0.5), plain_squares(x, 0.5)), max(abs(d - e)) < 1e-8, norm2(x), sum(abs(grad(norm2)(x))))
    var y = line(n)
    var w = line(n)
    launch behind[1, B](y, w, x)
    print("  ", sum(y), sum([f64(i % 7) * w[i] for i in 0:n]))
}
