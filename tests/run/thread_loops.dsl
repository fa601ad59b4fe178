# Loops and guards of threads around barriers: what goes around the threads, what stays inside
const width = 16

kernel sides(y: inout f64[n, m], x: f64[n, m], split: int, d: int) {
    shared s: f64[width, width]
    let t = thread.x
    let at = block.x * width
    if t < split {
        for i in 0:n { s[i, t] = if at + t < m { x[i, at + t] } else { 1.0 } }
        for i in 0:n { s[i, t] += f64(i) }
    } else {
        for i in 0:n // max(d, 1) { s[i, t] = 2.0 * f64(i) }
        for i in n // max(d, 1):n { s[i, t] = 0.5 }
        if d > 0 { for i in 0:n // d { s[i, t] -= f64(n // d) } }
    }
    barrier
    let mirror = width - 1 - t
    for i in 0:n {
        var sum = 0.0
        for k in 0:i + 1 { sum += s[k, mirror] }
        if at + t < m { y[i, at + t] += sum }
    }
    if t == 0 { for i in 0:n { y[i, at] += 100 } } else if t == 3 { if at + t < m { y[0, at + 3] = -1.0 } }
}

kernel down(y: inout f64[n, m], x: f64[n]) {
    shared col: f64[width, width]
    shared row: f64[width]
    let t = thread.x
    for k in 0:width { col[t, k] = f64(t * k) }
    col[t, 2] = 7.0
    row[t] = if t < n { x[t] } else { 0.0 }
    barrier
    for turn in 0:3 {
        if t >= turn and t < n {
            row[t] = row[t] + col[turn, t]
        }
        barrier
        if t < m { y[turn % n, t] = row[(t + turn) % width] }
        col[(t + 1) % width, turn] = row[t]
        barrier
    }
    if t < n { for k in 0:m { y[t, k] += col[t, k] } }
}

fn check(n: int, m: int, split: int, d: int) {
    let x = [f64((i * m + j) % 11) for i in 0:n, j in 0:m]
    var y = x
    launch sides[ceildiv(m, width), width](y, x, split, d)
    print(sum(y), [sum(y[i, j] for j in 0:m) for i in 0:n])
    var z = x
    launch down[1, width](z, x[:, 0])
    print(sum(z), z[n - 1, m - 1])
}
check(1, 1, 0, 0)
check(3, 16, 16, 2)
check(16, 5, 7, 3)
check(12, 16, 1, 1)
