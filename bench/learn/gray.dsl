# From Gray codes back to numbers
fn number(g: int) -> int {
    var n = g
    for k in 1:24 { n = n xor (g >> k) }
    return n
}
print(sum(number(i) & 15 for i in 0:8000000))
