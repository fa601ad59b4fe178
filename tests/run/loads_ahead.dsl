# Loops with barriers that read far memory in each turn: the next turns' elements are on their way (on a GPU).
const width = 8

## Tiles of a product; sizes that no tile fits
kernel product(c: out f64[n, m], a: f64[n, k], b: f64[k, m]) {
    shared ta: f64[width, width]
    shared tb: f64[width, width]
    let row = block.y * width + thread.y
    let col = block.x * width + thread.x
    var acc = 0.0
    for t in 0:ceildiv(k, width) {
        let ka = t * width + thread.x
        let kb = t * width + thread.y
        ta[thread.y, thread.x] = if row < n and ka < k { a[row, ka] } else { 0.0 }
        tb[thread.y, thread.x] = if kb < k and col < m { b[kb, col] } else { 0.0 }
        barrier
        for p in 0:width { acc += ta[thread.y, p] * tb[p, thread.x] }
        barrier
    }
    if row < n and col < m { c[row, col] = acc }
}

## Rows by turns: read without a guard, in both sides of a branch, every second one, and what a turn before has left
kernel rows(r: out f32[m], s: out i32[m], x: f32[n, m], y: i32[n, m], turns: int) {
    shared t: f32[width]
    shared u: i32[width]
    let i = block.x * blockdim.x + thread.x
    var sum: f32 = 0
    var some: i32 = 0
    for k in 0:turns {
        t[thread.x] = x[k, i]
        u[thread.x] = if (k + thread.x) % 3 == 0 { y[k, i] } else { -y[turns - 1 - k, i] }
        barrier
        sum = sum * 0.5 + t[(thread.x + 1) % width]
        some += u[(thread.x + 3) % width]
        barrier
    }
    for k in 1:turns:2 {
        if thread.x > 2 and k != 3 { t[thread.x] = x[k, i] + x[k - 1, i] }
        barrier
        sum += t[width - 1 - thread.x]
        barrier
    }
    r[i] = sum
    s[i] = some
}

## What is read is written by the launch, or where it is depends on what was read: as it is
kernel back(x: inout f64[n], at: int[n], y: out f64[n], turns: int) {
    shared t: f64[width]
    let i = block.x * blockdim.x + thread.x
    var j = i
    for k in 0:turns {
        t[thread.x] = x[i] + f64(at[j])
        j = at[j]
        barrier
        x[i] = 0.5 * t[(thread.x + k) % width]
        barrier
    }
    y[i] = if turns > 0 { t[0] } else { 0.0 }
}

fn products(n: int, k: int, m: int) {
    let a = [f64((i * 7 + j * 3) % 11) / 3 for i in 0:n, j in 0:k]
    let b = [f64((i * 5 + j) % 13) / 7 for i in 0:k, j in 0:m]
    var c = zeros(f64, n, m)
    launch product[(ceildiv(m, width), ceildiv(n, width)), (width, width)](c, a, b)
    print(n, k, m, sum(c), c[n - 1, m - 1])
}
products(8, 8, 8)
products(19, 1, 9)
products(5, 40, 17)
for turns in 0:8 {
    let m = 3 * width
    let x = [f32((i * 5 + j) % 9) / 4 for i in 0:turns, j in 0:m]
    let y = [i32((i * 3 + j * j) % 17) for i in 0:turns, j in 0:m]
    var r = zeros(f32, m)
    var s = zeros(i32, m)
    launch rows[3, width](r, s, x, y, turns)
    print(turns, r[0], r[m - 1], sum(f64(r)), sum(s))
    var z = [f64(i) for i in 0:m]
    var w = zeros(f64, m)
    launch back[3, width](z, [(i * 5 + 1) % m for i in 0:m], w, turns)
    print(sum(z), w[0], w[m - 1])
}
