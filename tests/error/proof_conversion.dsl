# Ints of fewer bits, or without sign, wrap around: that is said of an index made from them, and of one that a while loop carries.
kernel unsigned(a: out int[n]) {
    let i = u64(thread.x) - 1
    if int(i) < n { a[int(i)] = thread.x }
}
kernel short(a: out int[n]) {
    let i = i8(thread.x)
    if i >= 0 { a[int(i)] = thread.x }
}
kernel halves(a: inout int[n]) {
    var i = thread.x
    while i > 0 {
        a[i] = 1
        i = i // 2
    }
}
kernel lanes(a: out int[n], b: out int[n]) {
    let t = thread.x
    let lane = t & 31
    let warp = t >> 5
    if t < n {
        a[warp * 32 + lane] = t
        b[t & 63] = 1
    }
}
export fn go(n: int) -> int {
    var a = zeros(int, n)
    var b = zeros(int, n)
    launch unsigned[1, 64](a)
    launch short[1, 512](a)
    launch halves[1, 64](a)
    launch lanes[1, 64](a, b)
    return sum(a) + sum(b)
}
