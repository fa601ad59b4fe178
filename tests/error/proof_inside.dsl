# Two threads that meet outside of the array do not race: the program stops there.  Inside, it takes a size
kernel right(y: inout int[n]) {
    let t = thread.x
    y[t + 64 * block.x] = t
}
kernel wrong(y: inout int[n]) {
    let t = thread.x
    y[t + 64 * block.x] = t
}
export fn short(p: int) -> int {
    var y = zeros(int, 64)
    launch right[2, p](y)
    return sum(y)
}
export fn long(p: int, n: int) -> int {
    var y = zeros(int, n)
    launch wrong[2, p](y)
    return sum(y)
}
export fn whole(p: int) -> int {
    assert p <= 64
    var y = zeros(int, 100)
    launch right[2, p](y)
    return sum(y)
}
kernel masked(y: inout int[n], p: int) {
    let t = thread.x
    if (p xor p) == 1 { y[0] = t }
    if (t | 1) == 0 or u8(p) > 255 { y[0] = t }
    if max(i16(p), 3) < 2 { y[0] = t }
}
export fn never(p: int, n: int) -> int {
    var y = zeros(int, n)
    launch masked[1, 64](y, p)
    return sum(y)
}
