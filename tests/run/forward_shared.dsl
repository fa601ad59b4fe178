# Tiles in shared memory that hold parts of arrays, in many spellings: what a thread reads there is an element of the
# array, which the plain loop beside it reads.
const B = 8
fn clamped(i: int, n: int) -> int = min(max(i, 0), n - 1)
fn grid(n: int, m: int) -> f64[n, m] = [f64((i * 37 + j * 11) % 101) - 0.25 * f64(j) for i in 0:n, j in 0:m]
fn line(n: int) -> f64[n] = [f64((i * 37) % 101) - 0.5 * f64(i) for i in 0:n]
fn gap(a: f64[n], b: f64[n]) -> f64 = if n == 0 { 0.0 } else { max(abs(a - b)) }

# The border is brought by threads at the edges of the block, each side for itself.
kernel cross(v: out f64[n, m], u: f64[n, m]) {
    shared s: f64[B + 2, B + 2]
    let ty = thread.y
    let tx = thread.x
    let i = block.y * B + ty
    let j = block.x * B + tx
    s[ty + 1, tx + 1] = u[clamped(i, n), clamped(j, m)]
    if ty == 0 { s[0, tx + 1] = u[clamped(i - 1, n), clamped(j, m)] }
    if ty == B - 1 { s[B + 1, tx + 1] = u[clamped(i + 1, n), clamped(j, m)] }
    if tx == 0 { s[ty + 1, 0] = u[clamped(i, n), clamped(j - 1, m)] }
    if tx == B - 1 { s[ty + 1, B + 1] = u[clamped(i, n), clamped(j + 1, m)] }
    barrier
    if i < n and j < m {
        v[i, j] = s[ty, tx + 1] + 2 * s[ty + 2, tx + 1] + 3 * s[ty + 1, tx] + 4 * s[ty + 1, tx + 2] - s[ty + 1, tx + 1]
    }
}
fn plain_cross(u: f64[n, m]) -> f64[n, m] =
    [u[clamped(i - 1, n), j] + 2 * u[clamped(i + 1, n), j] + 3 * u[i, clamped(j - 1, m)] + 4 * u[i, clamped(j + 1, m)] - u[i, j] for i in 0:n, j in 0:m]

# All threads bring the tile together, in several turns, corners too.
kernel box(v: out f64[n, m], u: f64[n, m]) {
    shared s: f64[B + 2, B + 2]
    for k in thread.y * B + thread.x:(B + 2) * (B + 2):B * B {
        s[k // (B + 2), k % (B + 2)] = u[clamped(block.y * B + k // (B + 2) - 1, n), clamped(block.x * B + k % (B + 2) - 1, m)]
    }
    barrier
    let i = block.y * B + thread.y
    let j = block.x * B + thread.x
    if i < n and j < m {
        var sum = 0.0
        for a in 0:3 {
            for b in 0:3 { sum += s[thread.y + a, thread.x + b] * f64(a + 3 * b + 1) }
        }
        v[i, j] = sum
    }
}
fn plain_box(u: f64[n, m]) -> f64[n, m] =
    [sum(u[clamped(i + a - 1, n), clamped(j + b - 1, m)] * f64(a + 3 * b + 1) for a in 0:3, b in 0:3) for i in 0:n, j in 0:m]

# More threads than elements: those of the border only bring.
kernel overlapped(v: out f64[n, m], u: f64[n, m]) {
    shared s: f64[B, B]
    let ty = thread.y
    let tx = thread.x
    let i = block.y * (B - 2) + ty - 1
    let j = block.x * (B - 2) + tx - 1
    s[ty, tx] = if i >= 0 and i < n and j >= 0 and j < m { u[i, j] } else { 0.0 }
    barrier
    if ty > 0 and ty < B - 1 and tx > 0 and tx < B - 1 and i < n and j < m {
        v[i, j] = s[ty - 1, tx] + 2 * s[ty + 1, tx] + 3 * s[ty, tx - 1] + 4 * s[ty, tx + 1] - s[ty, tx]
    }
}
fn or_zero(u: f64[n, m], i: int, j: int) -> f64 = if i >= 0 and i < n and j >= 0 and j < m { u[i, j] } else { 0.0 }
fn plain_zero(u: f64[n, m]) -> f64[n, m] =
    [or_zero(u, i - 1, j) + 2 * or_zero(u, i + 1, j) + 3 * or_zero(u, i, j - 1) + 4 * or_zero(u, i, j + 1) - u[i, j] for i in 0:n, j in 0:m]

# A line with a wide border, periodic: what lies beyond one end lies before the other.
kernel ring(v: out f64[n], u: f64[n]) {
    shared s: f64[4 * B + 6]
    let t = thread.x
    let i = block.x * 4 * B + t
    if i < n { s[t + 3] = u[i] }
    if t < 3 {
        s[t] = if i >= 3 { u[i - 3] } else { u[i - 3 + n] }
        let last = i + min(4 * B, n - block.x * 4 * B)
        s[t + 3 + min(4 * B, n - block.x * 4 * B)] = if last < n { u[last] } else { u[last - n] }
    }
    barrier
    if i < n { v[i] = s[t] + 2 * s[t + 2] + 3 * s[t + 4] + 4 * s[t + 6] }
}
fn plain_ring(u: f64[n]) -> f64[n] = [u[(i - 3 + n) % n] + 2 * u[(i - 1 + n) % n] + 3 * u[(i + 1) % n] + 4 * u[(i + 3) % n] for i in 0:n]

# Turned around in the tile; squares of what is read; another array beside it
kernel turned(v: out f64[n, m], u: f64[m, n], w: f64[n, m]) {
    shared s: f64[B, B + 1]
    shared q: f64[B, B]
    let i = block.y * B + thread.y
    let j = block.x * B + thread.x
    let a = block.x * B + thread.y
    let b = block.y * B + thread.x
    if a < m and b < n { s[thread.x, thread.y] = u[a, b] }
    if i < n and j < m { q[thread.y, B - 1 - thread.x] = w[i, j] * w[i, j] }
    barrier
    if i < n and j < m { v[i, j] = s[thread.y, thread.x] + 0.5 * q[thread.y, B - 1 - thread.x] }
}
fn plain_turned(u: f64[m, n], w: f64[n, m]) -> f64[n, m] = [u[j, i] + 0.5 * w[i, j] * w[i, j] for i in 0:n, j in 0:m]

# Tiles in turns
kernel product(c: out f64[n, m], a: f64[n, k], b: f64[k, m]) {
    shared ta: f64[B, B]
    shared tb: f64[B, B]
    let i = block.y * B + thread.y
    let j = block.x * B + thread.x
    var s = 0.0
    for t in 0:ceildiv(k, B) {
        ta[thread.y, thread.x] = if i < n and t * B + thread.x < k { a[i, t * B + thread.x] } else { 0.0 }
        tb[thread.y, thread.x] = if t * B + thread.y < k and j < m { b[t * B + thread.y, j] } else { 0.0 }
        barrier
        for l in 0:B { s += ta[thread.y, l] * tb[l, thread.x] }
        barrier
    }
    if i < n and j < m { c[i, j] = s }
}

# Three axes, of which two are in the tile; ints; each turn another plane
kernel planes(v: out int[p, n, m], u: int[p, n, m]) {
    shared s: int[B + 1, B + 1]
    let i = block.y * B + thread.y
    let j = block.x * B + thread.x
    for k in 0:p {
        s[thread.y, thread.x] = u[k, clamped(i, n), clamped(j, m)]
        if thread.y == 0 { s[B, thread.x] = u[k, clamped(i + B, n), clamped(j, m)] }
        if thread.x == 0 { s[thread.y, B] = u[k, clamped(i, n), clamped(j + B, m)] }
        barrier
        if i < n and j < m { v[k, i, j] = 3 * s[thread.y, thread.x] - s[thread.y + 1, thread.x] - 2 * s[thread.y, thread.x + 1] }
        barrier
    }
}

# These stay as they are: what is read was written in memory that the launch writes, or in an order that counts.
kernel own(u: inout f64[n]) {
    shared s: f64[B]
    let i = block.x * B + thread.x
    if i < n { s[thread.x] = u[i] }
    barrier
    if i < n { u[i] = if thread.x > 0 { s[thread.x - 1] } else { s[thread.x] } }
}
kernel twice(v: out f64[n], u: f64[n]) {
    shared s: f64[B]
    let i = block.x * B + thread.x
    s[thread.x] = if i < n { u[i] } else { 0.0 }
    barrier
    if thread.x == 0 { s[0] = s[B - 1] }
    barrier
    if i < n { v[i] = s[thread.x] - s[0] }
}

fn blocks(n: int) -> int = ceildiv(n, B)
fn step_cross(u: f64[n, m]) -> f64[n, m] {
    var v = zeros(f64, n, m)
    launch cross[(blocks(m), blocks(n)), (B, B)](v, u)
    return v
}
fn step_box(u: f64[n, m]) -> f64[n, m] {
    var v = zeros(f64, n, m)
    launch box[(blocks(m), blocks(n)), (B, B)](v, u)
    return v
}
fn step_overlapped(u: f64[n, m]) -> f64[n, m] {
    var v = zeros(f64, n, m)
    launch overlapped[(ceildiv(m, B - 2), ceildiv(n, B - 2)), (B, B)](v, u)
    return v
}
fn step_ring(u: f64[n]) -> f64[n] {
    var v = zeros(f64, n)
    launch ring[ceildiv(n, 4 * B), 4 * B](v, u)
    return v
}
fn step_turned(u: f64[m, n], w: f64[n, m]) -> f64[n, m] {
    var v = zeros(f64, n, m)
    launch turned[(blocks(m), blocks(n)), (B, B)](v, u, w)
    return v
}
fn step_product(a: f64[n, k], b: f64[k, m]) -> f64[n, m] {
    var c = zeros(f64, n, m)
    launch product[(blocks(m), blocks(n)), (B, B)](c, a, b)
    return c
}

fn flat(x: f64[n, m]) -> f64[n * m] = reshape(x, n * m)
fn check(n: int, m: int) {
    let u = grid(n, m)
    let w = grid(m, n)
    print(n, m, gap(flat(step_cross(u)), flat(plain_cross(u))), gap(flat(step_box(u)), flat(plain_box(u))),
          gap(flat(step_overlapped(u)), flat(plain_zero(u))), gap(flat(step_turned(w, u)), flat(plain_turned(w, u))),
          gap(flat(step_product(u, w)), flat([sum(u[i, k] * w[k, j] for k in 0:m) for i in 0:n, j in 0:n])) < 1e-9)
    print("  slopes", gap(flat(grad(fn(x) => sum(step_cross(x) ^ 2))(u)), flat(grad(fn(x) => sum(plain_cross(x) ^ 2))(u))) < 1e-8,
          gap(flat(grad(fn(x) => sum(step_overlapped(x) ^ 2))(u)), flat(grad(fn(x) => sum(plain_zero(x) ^ 2))(u))) < 1e-8,
          gap(flat(grad(fn(x) => sum(step_product(x, w) ^ 2))(u)), flat(grad(fn(x) => sum((x @ w) ^ 2))(u))) < 1e-6)
}
check(1, 1)
check(8, 16)
check(9, 7)
check(21, 34)
for n in [7, 32, 33, 100] {
    let u = line(n)
    print(n, gap(step_ring(u), plain_ring(u)), gap(grad(fn(x) => sum(step_ring(x) ^ 2))(u), grad(fn(x) => sum(plain_ring(x) ^ 2))(u)) < 1e-8)
}
let cube = [(k * 31 + i * 17 + j * 5) % 23 for k in 0:3, i in 0:11, j in 0:13]
var out_cube = zeros(int, 3, 11, 13)
launch planes[(2, 2), (B, B)](out_cube, cube)
print(sum(abs(out_cube - [3 * cube[k, i, j] - cube[k, clamped(i + 1, 11), j] - 2 * cube[k, i, clamped(j + 1, 13)] for k in 0:3, i in 0:11, j in 0:13])))
var mine = line(20)
launch own[blocks(20), B](mine)
var again = zeros(f64, 20)
launch twice[blocks(20), B](again, line(20))
print(mine)
print(again)
