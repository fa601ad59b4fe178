# Gradients through launches whose memory is reversed: shared memory, barriers, atomics, elements written more than once.
fn check(name: str, g: f64[n], d: f64[n], forward: f64) {
    let v = along(n)
    print(name, max(abs(g - d)) / (1 + max(abs(d))) < 1e-7, abs(sum(g * v) - forward) < 1e-12 * (1 + abs(forward)))
}
fn along(n: int) -> f64[n] = [cos(3.0 * f64(i)) for i in 0:n]
fn diff(f: fn(f64[n]) -> f64, x: f64[n]) -> f64[n] {
    var d = zeros(f64, n)
    for i in 0:n {
        var a = x
        var b = x
        a[i] += 1e-5
        b[i] -= 1e-5
        d[i] = (f(a) - f(b)) / 2e-5
    }
    return d
}
let x = [0.3, 0.7, -0.4, 0.9, 0.25, 0.6, 1.1, -0.2]

# a tree of sums in shared memory; the barrier stands in a loop
kernel halves(y: out f64[m], x: f64[n], c: f64) {
    shared s: f64[4]
    let t = thread.x
    s[t] = sin(c * x[block.x * 4 + t])
    barrier
    var k = 2
    while k > 0 {
        if t < k { s[t] = s[t] * s[t + k] + s[t + k] }
        barrier
        k = k // 2
    }
    if t == 0 { y[block.x] = s[0] }
}
fn tree(x: f64[n]) -> f64 {
    var y = zeros(f64, n // 4)
    launch halves[n // 4, 4](y, x, x[0] + 0.5)
    return sum(y^2)
}
check("tree", grad(tree)(x), diff(tree, x), jvp(tree)(x, along(8)).1)

# shared memory used twice, in a loop over time
kernel relax(y: inout f64[n], c: f64, turns: int) {
    shared s: f64[4, 2]
    let t = thread.x
    let i = block.x * 4 + t
    for r in 0:turns {
        s[t, 0] = y[i]
        s[t, 1] = c * y[i]
        barrier
        y[i] = 0.5 * s[3 - t, 0] * s[t, 1] + sin(s[(t + 1) % 4, 1])
        barrier
    }
}
fn relaxed(x: f64[n]) -> f64 {
    var y = x
    for t in 0:3 { launch relax[n // 4, 4](y, x[1], t + 1) }
    return sum(y * x)
}
check("relax", grad(relaxed)(x), diff(relaxed, x), jvp(relaxed)(x, along(8)).1)

# atomics: into bins that indices tell; a number from outside
fn bins(x: f64[n], at: int[n]) -> f64 {
    var y = [x[0], 2.0, x[3]]
    parallel for i in 0:n { atomic y[at[i]] += x[2] * x[i]^3 }
    return sum(y^2)
}
let at = [0, 2, 1, 1, 0, 2, 2, 0]
check("bins", grad(bins, wrt=x)(x, at), diff(fn(v) => bins(v, at), x), jvp(bins, wrt=x)(x, at, along(8)).1)

# elements written more than once, and read between
fn twice(x: f64[n]) -> f64 {
    var y = x
    parallel for i in 0:n {
        y[i] = y[i] * x[i]
        if y[i] > 0.1 { y[i] = sin(y[i]) + x[n - 1 - i] }
        y[i] *= x[0]
        for k in 0:3 { y[i] += 0.3 * y[i] * x[(i + k) % n] }
    }
    return sum(y^2)
}
check("twice", grad(twice)(x), diff(twice, x), jvp(twice)(x, along(8)).1)

# softmax attention: a block for each query, a thread for each key
kernel attend(o: out f64[m, d], q: f64[m, d], k: f64[l, d], v: f64[l, d]) {
    shared score: f64[4]
    shared part: f64[4]
    let (i, t) = (block.x, thread.x)
    score[t] = sum(q[i, j] * k[t, j] for j in 0:d) / sqrt(f64(d))
    barrier
    let most = max(max(score[0], score[1]), max(score[2], score[3]))
    part[t] = exp(score[t] - most)
    barrier
    let total = part[0] + part[1] + part[2] + part[3]
    if t < d { o[i, t] = sum(part[r] * v[r, t] for r in 0:4) / total }
}
fn attention(x: f64[n]) -> f64 {
    let q = reshape(x[0:6], 3, 2)
    let k = [x[(i + j) % n] * 0.5 for i in 0:4, j in 0:2]
    let v = [x[(2 * i + j) % n] for i in 0:4, j in 0:2]
    var o = zeros(f64, 3, 2)
    launch attend[3, 4](o, q, k, v)
    return sum(o^2) + o[0, 1]
}
check("attention", grad(attention)(x), diff(attention, x), jvp(attention)(x, along(8)).1)

# a layer of a network in the manner of backprop (Rodinia): products in shared memory, summed by halves
kernel layer(out_sum: out f64[h], input: f64[n], w: f64[n, h]) {
    shared node: f64[4]
    shared m: f64[4, 4]
    let (tx, ty) = (thread.x, thread.y)
    if tx == 0 { node[ty] = input[ty] }
    barrier
    m[ty, tx] = w[ty, tx] * node[ty]
    barrier
    for p in 1:3 {
        let power = 1 << p
        if ty % power == 0 { m[ty, tx] = m[ty, tx] + m[ty + power // 2, tx] }
        barrier
    }
    if ty == 0 { out_sum[tx] = m[0, tx] }
}
fn network(x: f64[n]) -> f64 {
    let w = [0.3 * x[(i + 3 * j) % n] + 0.1 for i in 0:4, j in 0:4]
    var s = zeros(f64, 4)
    launch layer[1, (4, 4)](s, x[0:4], w)
    return sum((1 / (1 + exp(-s)) - 0.3)^2)
}
check("network", grad(network)(x), diff(network, x), jvp(network)(x, along(8)).1)

# again: what scatters, what waits
fn places() -> int[8] = [0, 2, 1, 1, 0, 2, 2, 0]
fn bins_slope(v: f64[n]) -> f64 = sum(grad(bins, wrt=x)(v, places()) * along(8))
fn tree_slope(v: f64[n]) -> f64 = sum(grad(tree)(v) * along(8))
fn gathered(v: f64[n]) -> f64 = sum(v[(i * 3) // 5]^3 * v[i] for i in 0:8)
fn gathered_slope(v: f64[n]) -> f64 = sum(grad(gathered)(v) * along(8))
check("bins twice", grad(bins_slope)(x), diff(bins_slope, x), jvp(bins_slope)(x, along(8)).1)
check("tree twice", grad(tree_slope)(x), diff(tree_slope, x), jvp(tree_slope)(x, along(8)).1)
check("gathered twice", grad(gathered_slope)(x), diff(gathered_slope, x), jvp(gathered_slope)(x, along(8)).1)

# launches in a loop, with as many phases as its turn says
kernel phases(y: inout f64[n], x: f64[n], m: int) {
    shared s: f64[4]
    let t = thread.x
    s[t] = y[t]
    barrier
    for k in 0:(2 * m + 1) {
        let v = s[3 - t]
        barrier
        s[t] = sin(v + x[t])
        barrier
    }
    y[t] = s[t]
}
fn phased(x: f64[n]) -> f64 {
    var y = x[0:4]
    for t in 0:3 {
        for u in 0:t { launch phases[1, 4](y, x[4:], t + u) }
    }
    return sum(y^2)
}
check("phases of a turn", grad(phased)(x), diff(phased, x), jvp(phased)(x, along(8)).1)

# a `while` that carries nothing: all it knows is in memory
kernel climb(y: inout f64[n], x: f64[n]) {
    let i = thread.x
    while y[i] < 1.0 { y[i] += 0.2 + (sin(y[i]) * x[i])^2 }
}
fn climbed(x: f64[n]) -> f64 {
    var y = 0.5 * x
    launch climb[1, n](y, x)
    return sum(y^3)
}
check("climb", grad(climbed)(x), diff(climbed, x), jvp(climbed)(x, along(8)).1)
