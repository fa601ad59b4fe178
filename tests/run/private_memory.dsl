# Private arrays with constant indices through branches, loops and barriers; shared arrays used like private ones
const width = 8

kernel branches(y: inout f64[n], turns: int) {
    let i = block.x * width + thread.x
    if i >= n { return }
    var a: f64[3]
    a[0] = y[i]
    if y[i] > 2 { a[1] = 1.5 } else if y[i] > 1 { a[2] = a[0] }
    for k in 0:turns {
        a[0] += a[1]
        if k % 2 == i % 2 { a[1] = a[2] * 0.5 + 1 }
    }
    var k = 0
    while a[2] < 4 and k < turns {
        a[2] += a[0] + 1
        k += 1
    }
    y[i] = a[0] + 10 * a[1] + 100 * a[2]
}

kernel crossing(y: inout f64[n, m]) {
    shared own: f64[width, width]
    shared seen: f64[width]
    let tx = thread.x
    let ty = thread.y
    let row = block.y * width + ty
    let col = block.x * width + tx
    let inside = row < n and col < m
    var best: f64[2]
    best[0] = if inside { y[row, col] } else { 0.0 }
    own[ty, tx] = best[0] * 2
    if ty == 0 { seen[tx] = best[0] }
    barrier
    best[1] = seen[width - 1 - tx]
    if best[1] > best[0] { best[0] = best[1] }
    barrier
    if ty == 1 { seen[tx] = own[ty, tx] + best[0] }
    barrier
    own[ty, tx] += seen[tx]
    barrier
    if inside { y[row, col] = own[ty, tx] + best[0] - best[1] }
}

fn check(n: int, m: int) {
    var y = [f64(i % 4) for i in 0:n]
    launch branches[ceildiv(n, width), width](y, 3)
    print(sum(y), y[n - 1])
    var z = [f64(i * m + j) for i in 0:n, j in 0:m]
    launch crossing[(ceildiv(m, width), ceildiv(n, width)), (width, width)](z)
    print(sum(z), z[n - 1, m - 1], z[n // 2, m // 2])
}
check(1, 1)
check(7, 9)
check(8, 8)
check(33, 20)
