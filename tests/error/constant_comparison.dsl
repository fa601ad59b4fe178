# Comparisons that come out the same whatever the values are; and some that do not.
const width = 16
kernel k(y: inout f64[n], u: u32[n], m: int) {
    let i = block.x * blockdim.x + thread.x
    if i >= 0 and i < n {
        if u[i] < 0 { y[i] = 1 }
        if y[i] == y[i] and y[i] < y[i] { y[i] = 2 }
        if i % 4 == 4 { y[i] = 3 }
        if i % 4 == 3 or i % width == 16 { y[i] = 4 }
        if m == 1 and i > 3 and m == 2 { y[i] = 5 }
        if m != 1 or m != 2 { y[i] = 6 }
        if y[i] < 0 and y[i] > 10 { y[i] = 7 }
        if m > 3 and 4 > m { y[i] = 8 }
        if m <= 3 or m > 3 { y[i] = 9 }
        if y[i] <= 3 or y[i] > 3 { y[i] = 10 }
        if m > 3 and m < 5 and y[i] > 3 and y[i] < 3.5 { y[i] = 11 }
    }
}
fn f(x: f64[n], y: f64[n]) -> f64 {
    if n < 0 or len(x) >= 0 { return 1 }
    if width > 20 or n >= 1 { return 2 }
    assert n >= 0
    return where(x[0] > x[0], y[0], x[0])
}
fn least(x: T) -> bool { return x >= 0 }
print(f([1.0], [2.0]), least(u32(3)), least(3))
fn between(x: f64, y: f64, i: int, j: int) -> bool {
    if x < y and y < x { return true }
    if x < y or x >= y { return false }
    if i < j or j <= i { return true }
    if i != j or j == i { return false }
    if i < j and x > 0 and i == j { return true }
    return i <= j and j <= i
}
const turns = 12
fn loops(n: int, m: int, x: f64[k]) -> int {
    var s = 0
    var top = n
    for i in 0:n { if i >= n or i == n - 1 { s += 1 } }
    for i in m:n { if i < m or n <= i { s += 1 } }
    for i in 0:top { if i >= top { s += 1 }; top -= 1 }
    for i in 2:20:5 { if i > 16 or i > 17 or i < 2 { s += 1 } }
    for i in 9:-1:-1 { if i >= 0 { s += 1 } }
    for i in 0:turns { if i >= 12 or i >= turns or i < 0 { s += 1 } }
    parallel for i in 0:k, j in 0:10 { if i < k and j < 10 and j > 9 { assert i < k } }
    return s + sum(if i < k { 1 } else { 0 } for i in 0:k)
}
print(between(1.0, 2.0, 1, 2), loops(1, 2, [1.0]))
