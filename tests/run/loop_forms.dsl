# Loops that count in other forms than `for`
kernel strided(y: inout f64[n], x: f64[m]) {
    shared s: f64[20]
    var i = thread.x
    while i < 20 {
        s[i] = i * i
        i += blockdim.x
    }
    barrier
    i = thread.x
    while i < n {
        y[i] += s[i % 20] + x[i % m]
        i += blockdim.x
    }
}
fn spread(n: int, m: int) -> f64[n] {
    var y = zeros(f64, n)
    launch strided[1, 32](y, [f64(k) for k in 0:m])
    return y
}
print(spread(50, 3), spread(7, 2))

kernel waves(out_last: out int[n], out_flag: out int[n], turns: int) {
    shared a: int[16]
    let t = thread.x
    var active = false
    var seen = -1
    a[t] = t
    barrier
    for i in 0:turns {
        active = t >= i and t < 16 - i
        seen = i * 10 + t
        var v = 0
        if active { v = a[max(t - 1, 0)] + a[min(t + 1, 15)] }
        barrier
        if i == turns - 1 { break }
        if active { a[t] = v }
        barrier
    }
    out_flag[t] = if active { a[t] } else { -a[t] }
    out_last[t] = seen
}
fn wave(turns: int) -> (int[16], int[16]) {
    var last = zeros(int, 16)
    var flag = zeros(int, 16)
    launch waves[1, 16](last, flag, turns)
    return (last, flag)
}
for turns in 0:4 { print(wave(turns)) }

fn first_square_above(x: int, most: int) -> (int, int) {
    var i = 0
    var last = -1
    while i < most {
        last = i * i
        if last > x { break }
        i += 1
    }
    return (i, last)
}
print(first_square_above(50, 100), first_square_above(50, 5), first_square_above(50, 0))
fn by_threes(n: int) -> (int, int) {
    var i = 0
    var s = 0
    while n > i {
        s += i
        i += 3
    }
    return (i, s)
}
print(by_threes(10), by_threes(9), by_threes(0), by_threes(-4))
