# Places in an array from ints of fewer bits, what is left of their bits, remainders and minima: proved to be inside; sums of them wrap
fn f(x: u8[n], y: i32[n], s: u32) -> int[40] {
    var t = zeros(int, 40)
    for i in 0:n {
        t[int(x[i] >> 3)] += 1
        t[int(y[i] & 31) + 2] += 1
        t[int(u8(44) & x[i] & 15)] += 1
        t[int(u32(y[i]) >> s & 7) + 30] += 1
        t[int(min(x[i], 30))] += 1
        t[int(x[i] % 20)] += 1
        t[int(i8(x[i] >> 2) & 15)] += 1
    }
    return t
}
fn wraps(x: u8[n], y: i32[n]) -> int[300] {
    var t = zeros(int, 300)
    for i in 0:n {
        t[int(x[i] + x[i])] += 1
        t[int(u8(y[i])) + 44] += 1
        t[int((x[i] & 200) * 2)] += 1
    }
    return t
}
let x = [u8(i * 37) for i in 0:500]
let y = [i32(i * 7919 - 100000) for i in 0:500]
print(f(x, y, 5), wraps(x, y))
