# A cyclic redundancy check of 8 bits, bit by bit
fn crc(x: int) -> int {
    var c = x & 255
    for k in 0:16 { c = if c & 128 != 0 { ((c << 1) xor 7) & 255 } else { (c << 1) & 255 } }
    return c
}
print(sum(crc(i) for i in 0:8000000))
