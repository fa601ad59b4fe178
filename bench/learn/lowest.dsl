# Places of the lowest bit
fn lowest(x: int) -> int {
    var h = 24
    for k in 0:24 { h = if (x >> (23 - k)) & 1 == 1 { 23 - k } else { h } }
    return h
}
print(sum(lowest(i) for i in 0:16000000))
