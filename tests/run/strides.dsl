# Guards on remainders, which become loops in steps
const never = 5
kernel every(y: inout int[n], k: int, first: int) {
    let i = block.x * blockdim.x + thread.x
    if i < n and k > 0 { if i % k == 0 and i >= first { y[i] += 1 } }
    if i < n {
        if (i + 5) % 3 == 1 and i > first and i < n - 2 { y[i] += 10 }
        if (i - 7) & 7 == 6 { y[i] += 100 }
        if i % 4 == never { y[i] += 1000 }
    }
}

## Only remainders: loops in steps over each axis
kernel both(y: inout int[n, m], k: int) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < n and j < m and i % 2 == 1 and j % k == 0 { y[i, j] = i * m + j }
}

kernel third(y: inout int[n], from: int, to: int) {
    let i = block.x * 8 + thread.x
    if i >= from and i < to and i < n and (i + from) % 3 == 2 { y[i] = i }
}

kernel tree(y: out int[b], x: int[n]) {
    shared s: int[32]
    let t = thread.x
    let i = block.x * 32 + t
    s[t] = if i < n { x[i] } else { 0 }
    barrier
    var step = 1
    while step < 32 {
        if t % (2 * step) == 0 { s[t] += s[t + step] }
        barrier
        step *= 2
    }
    if t == 0 { y[block.x] = s[0] }
}

fn check(n: int) {
    var y = zeros(int, n)
    launch every[ceildiv(n, 8), 8](y, 3, 4)
    print(sum(y), sum([y[i] * i for i in 0:n]))
    var z = zeros(int, n)
    launch third[ceildiv(n, 8), 8](z, 2, n - 1)
    print(z)
    launch third[ceildiv(n, 8), 8](z, 5, 3)
    print(sum(z))
    var w = zeros(int, n, n + 1)
    launch both[(ceildiv(n + 1, 4), ceildiv(n, 4)), (4, 4)](w, 5)
    print(sum(w), w[n - 1, 0])
    var sums = zeros(int, ceildiv(n, 32))
    launch tree[ceildiv(n, 32), 32](sums, z + 1)
    print(sums)
}
check(1)
check(2)
check(9)
check(30)
check(75)
