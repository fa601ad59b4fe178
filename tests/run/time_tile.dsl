# Loops over time whose rows depend on rows nearby run in bands of turns, on tiles of rows: the same bits as in order.

## Two half steps in place, each reaching one row to both sides
fn jacobi(a0: f64[n], turns: int) -> (f64[n], f64[n]) {
    var a = a0
    var b = a0
    for t in 0:turns {
        b[1:-1] = 0.33 * (a[:-2] + a[1:-1] + a[2:])
        a[1:-1] = 0.34 * (b[:-2] + b[1:-1] + b[2:])
    }
    return (a, b)
}

## Arrays that change places, and reach far to one side
kernel drift(next: out f64[n, m], u: f64[n, m], wind: f64[n, m], t: int) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i >= 3 and i < n - 1 and j >= 1 and j < m - 1 {
        next[i, j] = u[i, j] + 0.1 * wind[i, j] * (u[i - 3, j] - u[i, j]) + 0.05 * (u[i + 1, j - 1] - u[i, j + 1]) + 0.001 * f64(t)
    }
}
fn drifted(u0: f64[n, m], wind: f64[n, m], turns: int) -> f64[n, m] {
    var u = u0
    var next = u0
    for t in 0:turns {
        launch drift[(ceildiv(m, 32), ceildiv(n, 8)), (32, 8)](next, u, wind, t)
        let old = u
        u = next
        next = old
    }
    return u
}

## A fresh array in each turn
fn smooth(u: f64[n, m]) -> f64[n, m] {
    var next = u
    next[1:n - 1, 1:m - 1] = [0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]) for i in 1:n - 1, j in 1:m - 1]
    return next
}
fn smoothed(u0: f64[n, m], turns: int) -> f64[n, m] {
    var u = u0
    for t in 0:turns { u = smooth(u) }
    return u
}

## Three fields, a row of its own, different reach to the left and to the right
fn waves(n: int, m: int, turns: int) -> (f64[n, m], f64[n, m], f64[n, m]) {
    var ex = [f64(i * (j + 1) % 7) / 7 for i in 0:n, j in 0:m]
    var ey = [f64(i * (j + 2) % 5) / 5 for i in 0:n, j in 0:m]
    var hz = [f64(i * (j + 3) % 3) / 3 for i in 0:n, j in 0:m]
    for t in 0:turns {
        parallel for j in 0:m { ey[0, j] = f64(t) }
        parallel for i in 1:n, j in 0:m { ey[i, j] -= 0.5 * (hz[i, j] - hz[i - 1, j]) }
        parallel for i in 0:n, j in 1:m { ex[i, j] -= 0.5 * (hz[i, j] - hz[i, j - 1]) }
        parallel for i in 0:n - 1, j in 0:m - 1 { hz[i, j] -= 0.7 * (ex[i, j + 1] - ex[i, j] + ey[i + 1, j] - ey[i, j]) }
    }
    return (ex, ey, hz)
}

## Three arrays in turn: the second difference in time
fn string(u0: f64[n], turns: int) -> f64[n] {
    var before = u0
    var now = u0
    var after = zeros(f64, n)
    for t in 0:turns {
        parallel for i in 1:n - 1 { after[i] = 2 * now[i] - before[i] + 0.3 * (now[i - 1] - 2 * now[i] + now[i + 1]) }
        let old = before
        before = now
        now = after
        after = old
    }
    return now
}

## What is added is the same in each turn: its place is checked once
fn fed(u0: f64[n], w: f64[p, q], turns: int) -> f64[n] {
    var u = u0
    let i = int(w[0, 0])
    let j = int(w[0, 1])
    for t in 0:turns { parallel for k in 0:n { u[k] = 0.5 * u[k] + w[i, j] } }
    return u
}

fn weighed(x: f64[n]) -> f64 = sum(x[i] * f64(1 + i % 13) for i in 0:n)
fn weighed(x: f64[n, m]) -> f64 = sum(x[i, j] * f64(1 + (i + 2 * j) % 13) for i in 0:n, j in 0:m)

fn lines(n: int) {
    let x = [f64(i * i % 11) / 11 for i in 0:n]
    for k in 0:4 {
        let turns = [0, 1, 7, 130][k]
        let (a, b) = jacobi(x, turns)
        print("jacobi", n, turns, weighed(a), weighed(b))
    }
    print("fed", n, weighed(fed(x, [f64(2 * i + j) / 3 for i in 0:n // 4 + 2, j in 0:n // 9 + 3], 7)))
    print("string", n, weighed(string(x, 5)), weighed(string(x, 101)))
}

fn planes(n: int, m: int) {
    let x = [f64((i * i + 3 * j) % 17) / 17 for i in 0:n, j in 0:m]
    let wind = [f64((i + j * j) % 5) / 5 for i in 0:n, j in 0:m]
    for k in 0:3 {
        let turns = [1, 8, 21][k]
        print("drift", n, turns, weighed(drifted(x, wind, turns)))
        print("smooth", n, turns, weighed(smoothed(x, turns)))
        let (ex, ey, hz) = waves(n, m, turns)
        print("waves", n, turns, weighed(ex), weighed(ey), weighed(hz))
    }
}

for k in 0:4 { lines([4, 57, 300, 6000][k]) }
for k in 0:3 { planes([9, 140, 203][k], [5, 40, 160][k]) }

## Walls without flow: the first and the last row and column take what their neighbours have; only then another row follows
fn walled(u0: f64[n, m], turns: int) -> f64[n, m] {
    var u = u0
    for t in 0:turns {
        var next = u
        parallel for i in 1:n - 1, j in 1:m - 1 { next[i, j] = u[i, j] + 0.1 * (u[i, j - 1] + u[i, j + 1] + u[i - 1, j] + u[i + 1, j] - 4 * u[i, j]) }
        for j in 0:m { next[0, j] = next[1, j]; next[n - 1, j] = next[n - 2, j] }
        for i in 0:n { next[i, 0] = next[i, 1]; next[i, m - 1] = next[i, m - 2] }
        u = next
    }
    return u
}
for n in [3, 4, 100, 251] {
    let w = walled([f64((3 * i + j * j) % 11) for i in 0:n, j in 0:n // 3 + 2], 23)
    print("walled", n, w[0, 0], w[n - 1, 1], w[n // 2, n // 4], sum(w))
}
