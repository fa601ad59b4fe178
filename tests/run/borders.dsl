# Borders: clamped neighbours, periodic neighbours, guarded loads, at sizes down to nothing but border.
fn clamped(x: f64[n, m]) -> f64[n, m] {
    var y = zeros(f64, n, m)
    parallel for i in 0:n, j in 0:m {
        let north = max(i - 1, 0)
        let south = min(i + 1, n - 1)
        y[i, j] = x[north, j] + 2.0 * x[south, j] + 3.0 * x[i, max(j - 1, 0)] + 5.0 * x[i, min(j + 1, m - 1)]
    }
    return y
}
fn periodic(x: f64[n]) -> f64[n] {
    var y = zeros(f64, n)
    parallel for i in 0:n {
        let west = if i == 0 { n - 1 } else { i - 1 }
        let east = if i + 1 == n { 0 } else { i + 1 }
        y[i] = x[west] - 2.0 * x[i] + x[east] * 0.5
    }
    return y
}
fn shifted(x: f64[n], by: int, m: int) -> f64[m] {
    var y = zeros(f64, m)
    parallel for i in 0:m {
        y[i] = if i - by >= 0 and i - by < n { x[i - by] } else { -1.0 }
    }
    return y
}
fn outside(x: f64[n], lo: int, hi: int) -> f64[n] {
    var y = zeros(f64, n)
    parallel for i in 0:n {
        if i < lo or i >= hi { y[i] = -f64(i) } else { y[i] = x[i] * x[n - 1 - i] + x[i] }
    }
    return y
}
kernel smooth(x: f64[n, m], y: out f64[n, m]) {
    shared s: f64[8, 8]
    let i = block.y * 8 + thread.y
    let j = block.x * 8 + thread.x
    s[thread.y, thread.x] = if i < n and j < m { x[i, j] } else { 0.0 }
    barrier
    let last_y = min(7, n - 1 - block.y * 8)
    let last_x = min(7, m - 1 - block.x * 8)
    if i < n and j < m {
        y[i, j] = s[max(thread.y - 1, 0), thread.x] + s[min(thread.y + 1, last_y), thread.x] + s[thread.y, max(thread.x - 1, 0)] - s[thread.y, min(thread.x + 1, last_x)]
    }
}
fn all_of(n: int, m: int) {
    let x = [f64((i * 7 + j * 3) % 11) for i in 0:n, j in 0:m]
    let v = [f64(i * i % 7) for i in 0:n]
    var s = zeros(f64, n, m)
    launch smooth[(ceildiv(m, 8), ceildiv(n, 8)), (8, 8)](x, s)
    print(n, m, sum(clamped(x)), periodic(v), shifted(v, 2, m), shifted(v, -1, n), outside(v, 1, n - 1), sum(s), s[n - 1])
}
all_of(1, 1)
all_of(2, 3)
all_of(3, 2)
all_of(9, 17)
all_of(16, 8)
let w = zeros(f64, 0)
print(periodic(w), shifted(w, 0, 3), clamped(zeros(f64, 0, 4)))
