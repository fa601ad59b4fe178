# Places of the highest bit
fn highest(x: int) -> int {
    var h = 0
    for k in 0:24 { h = if (x >> k) & 1 == 1 { k } else { h } }
    return h
}
print(sum(highest(i) for i in 0:16000000))
