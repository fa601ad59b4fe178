# How many bits are set in each of many numbers
fn count(x: int) -> int {
    var n = 0
    var y = x
    for k in 0:32 { n += (y >> k) & 1 }
    return n
}
print(sum(count(i * 2654435761) for i in 0:10000000))
