# What moves, stays and goes around barriers; each result is checked against whole-array arithmetic.
const width = 16

## Own elements: forwarded; the store of `v` is dead; `w` lies in memory.
kernel own(y: inout f64[n], x: f64[n]) {
    shared s: f64[width]
    let t = thread.x
    let i = block.x * width + t
    let v = if i < n { x[i] } else { 0.0 }
    s[t] = v
    barrier
    let w = exp(s[t]) + 1
    s[t] = w
    barrier
    let other = s[width - 1 - t]
    barrier
    s[width - 1 - t] = other + w
    barrier
    if i < n { y[i] = s[t] * w + y[i] }
}

## A value from memory that another thread overwrites meanwhile.
kernel turn(y: inout f64[n]) {
    let t = thread.x
    let i = block.x * width + t
    let j = block.x * width + width - 1 - t
    let mine = if i < n and j < n { y[i] } else { 0.0 }
    barrier
    if j < n and i < n { y[j] = mine }
    barrier
    if i < n { y[i] = y[i] + 2 * mine }
}

## Phases of a loop: the element is read by a neighbour one turn later.
kernel shift(y: out f64[n], x: f64[n], turns: int) {
    shared s: f64[width]
    let t = thread.x
    let i = block.x * width + t
    s[t] = if i < n { x[i] } else { 0.0 }
    barrier
    for k in 0:turns {
        let next = s[(t + 1) % width]
        barrier
        s[t] = next * 0.5 + s[t]
        barrier
    }
    if i < n { y[i] = s[t] }
}

fn sizes(n: int) {
    let x = [f64(i % 7) * 0.25 for i in 0:n]
    let blocks = ceildiv(n, width)

    var y = [1.0 for i in 0:n]
    launch own[blocks, width](y, x)
    let w = exp([if i < n { x[i] } else { 0.0 } for i in 0:blocks * width]) + 1
    let mirror = [w[i // width * width + width - 1 - i % width] for i in 0:blocks * width]
    # thread 15-t wrote element t: its own w, and the element it had read
    let want = [(w[i] + mirror[i]) * w[i] + 1 for i in 0:n]
    print("own", n, max(abs(y - want)))

    let whole = n // width * width
    var z = x
    launch turn[blocks, width](z)
    let turned = [if i < whole { x[i // width * width + width - 1 - i % width] + 2 * x[i] } else { z[i] } for i in 0:n]
    print("turn", n, max(abs(z - turned)), sum(z))

    var u = zeros(f64, n)
    launch shift[blocks, width](u, x, 3)
    print("shift", n, sum(u), u[n // 2])
}

sizes(1)
sizes(15)
sizes(16)
sizes(17)
sizes(64)
