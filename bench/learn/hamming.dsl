# Distances of code words: bits in which they differ
fn differ(a: int, b: int) -> int {
    var n = 0
    let d = a xor b
    for k in 0:16 { n += (d >> k) & 1 }
    return n
}
print(max([min([if i == j { 99 } else { differ(i * 2749, j * 2749) } for j in 0:3000]) for i in 0:3000]))
