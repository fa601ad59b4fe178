# Parity of the bits under a mask
fn parity(x: int, mask: int) -> int {
    var p = 0
    for k in 0:24 { p = p xor (((x & mask) >> k) & 1) }
    return p
}
print(sum(parity(i, 11184810) for i in 0:40000000))
