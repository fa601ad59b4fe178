# Marsaglia's xorshift, some steps from many seeds
fn random(seed: int) -> int {
    var x = seed + 1
    for k in 0:8 {
        x = (x xor (x << 13)) & 4294967295
        x = x xor (x >> 17)
        x = (x xor (x << 5)) & 4294967295
    }
    return x
}
print(sum(random(i) & 1023 for i in 0:6000000))
