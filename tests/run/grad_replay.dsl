# Memory of threads and blocks that is written first and then only read: the reverse writes it once more.
fn close(name: str, f: fn(f64[n]) -> f64, x: f64[n]) { print(name, check_grad(f, x) < 1e-6) }

kernel twofold(y: out f64[n], x: f64[n]) {
    shared s: f64[4]
    shared r: f64[4]
    let (t, i) = (thread.x, block.x * 4 + thread.x)
    s[t] = sin(x[i])
    barrier
    r[t] = s[3 - t] * x[i]
    barrier
    var total = 0.0
    for k in 0:4 { total += s[k] * r[(k + t) % 4]^2 }
    y[i] = total * s[t]
}
fn twofolds(x: f64[n]) -> f64 {
    var y = zeros(f64, n)
    launch twofold[n // 4, 4](y, x)
    return sum(y^2)
}
## What is overwritten, or updated, is kept.
kernel again(y: out f64[n], x: f64[n]) {
    shared s: f64[4]
    let (t, i) = (thread.x, block.x * 4 + thread.x)
    s[t] = x[i]^2
    barrier
    let left = s[3 - t] * s[t]
    barrier
    s[t] = left * x[i]
    barrier
    y[i] = s[(t + 1) % 4] * left
}
fn agains(x: f64[n]) -> f64 {
    var y = zeros(f64, n)
    launch again[n // 4, 4](y, x)
    return sum(y^2)
}
## Private arrays, in a branch, filled by a loop, partly under a condition
kernel own(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        var w = zeros(f64, 6)
        for k in 0:6 { if k != 2 { w[k] = cos(x[(i + k) % n]) } }
        let v = [x[i] * x[i], exp(x[i]), x[(i + 1) % n]]
        var total = 1.0
        for k in 0:6 { total = total * (1 + w[k] * v[k % 3]) }
        y[i] = total
    }
}
fn owns(x: f64[n]) -> f64 {
    var y = zeros(f64, n)
    launch own[ceildiv(n, 4), 4](y, x)
    return sum(y)
}
## In a loop of the block, with a barrier behind each turn: the memory is written in each turn, and kept.
kernel turns(y: out f64[n], x: f64[n]) {
    shared s: f64[4]
    let (t, i) = (thread.x, block.x * 4 + thread.x)
    var total = 0.0
    for k in 0:3 {
        s[t] = x[i] * (k + 1)
        barrier
        total += s[(t + k) % 4]^2 * x[i]
        barrier
    }
    y[i] = total
}
fn turned(x: f64[n]) -> f64 {
    var y = zeros(f64, n)
    launch turns[n // 4, 4](y, x)
    return sum(y)
}
fn threads(x: f64[n]) -> f64 {
    var y = zeros(f64, n)
    parallel for i in 0:n {
        var w = zeros(f64, 3)
        w[0] = x[i]
        w[1] = x[(i + 1) % n] * x[i]
        w[2] = sin(x[i])
        for k in 0:5 { y[i] += w[k % 3] * w[(k + 1) % 3] }
    }
    return sum(y^2)
}
## The barrier stands in the loop, or the branch, that reads.
kernel inner(y: out f64[n], x: f64[n], turns: int) {
    shared s: f64[4]
    let (t, i) = (thread.x, block.x * 4 + thread.x)
    s[t] = sin(x[i])
    var total = 1.0
    for k in 0:turns {
        barrier
        total = total * (1 + s[(t + k) % 4]^2)
    }
    y[i] = total
}
fn inners(x: f64[n]) -> f64 {
    var y = zeros(f64, n)
    launch inner[n // 4, 4](y, x, n - 5)
    return sum(y^2)
}
kernel branch(y: out f64[n], x: f64[n]) {
    shared s: f64[4]
    let (t, i) = (thread.x, block.x * 4 + thread.x)
    s[t] = cos(x[i])
    if n > 4 {
        barrier
        y[i] = s[3 - t]^2 * x[i]
    }
}
fn branches(x: f64[n]) -> f64 {
    var y = zeros(f64, n)
    launch branch[n // 4, 4](y, x)
    return sum(y^2)
}
## What a loop with barriers writes is kept.
kernel filled(y: out f64[n], x: f64[n]) {
    shared s: f64[40]
    let (t, i) = (thread.x, block.x * 4 + thread.x)
    for k in 0:10 {
        s[4 * k + t] = sin(x[i] * (k + 1))
        barrier
    }
    y[i] = (s[39 - t] * s[3 - t])^2 * x[i]
}
fn filleds(x: f64[n]) -> f64 {
    var y = zeros(f64, n)
    launch filled[n // 4, 4](y, x)
    return sum(y^2)
}
let x = [0.3, 0.7, -0.4, 0.9, 0.25, 0.6, -0.8, 0.1]
close("shared", twofolds, x)
close("overwritten", agains, x)
close("private", owns, x[0:7])
close("turns", turned, x)
close("threads", threads, x)
close("barrier in a loop", inners, x)
close("barrier in a branch", branches, x)
close("filled by a loop", filleds, x)
print("twice", norm(hvp(twofolds)(x, x) - (grad(twofolds)(x + 1e-6 * x) - grad(twofolds)(x - 1e-6 * x)) / 2e-6) < 1e-5)
