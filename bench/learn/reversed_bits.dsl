# The bits of each index in reverse, as a Fourier transform orders them
fn backwards(x: int) -> int {
    var r = 0
    for k in 0:20 { r = (r << 1) | ((x >> k) & 1) }
    return r
}
print(sum(backwards(i) % 7 for i in 0:16000000))
