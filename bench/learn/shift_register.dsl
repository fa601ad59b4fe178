# A linear feedback shift register of 16 bits, from many states
fn after(state: int, steps: int) -> int {
    var x = state
    for k in 0:steps {
        let bit = (x xor (x >> 2) xor (x >> 3) xor (x >> 5)) & 1
        x = (x >> 1) | (bit << 15)
    }
    return x
}
print(sum(after(i % 65536, 24) for i in 0:6000000))
