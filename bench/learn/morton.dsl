# Morton codes: bits of two coordinates, in turn
fn code(x: int, y: int) -> int {
    var c = 0
    for k in 0:12 { c = c | (((x >> k) & 1) << (2 * k)) | (((y >> k) & 1) << (2 * k + 1)) }
    return c
}
print(sum(code(i, j) & 1023 for i in 0:2500, j in 0:2500))
