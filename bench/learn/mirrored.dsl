# The lower 16 bits of a number in the opposite order
fn mirrored(x: int) -> int {
    var r = 0
    for k in 0:16 { r = (r << 1) | ((x >> k) & 1) }
    return r
}
print(sum(mirrored(i) & 255 for i in 0:40000000))
