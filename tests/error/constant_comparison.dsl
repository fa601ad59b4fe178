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
