let a: u8[4] = [250, 251, 252, 253]
print(a, a + 5, a * 2, int(a) + 5)
let b: i16[2] = [32767, -32768]
print(b + 1, b - 1, abs(b), -b)
let u: u64 = 9223372036854775807
let w = u * 2 + 1
print(w, w // 2, w >> 60, u, u // 2, u % 10, u >> 60)
print(sum(a), max(a), i32(5) // 2, int(9223372036854775807) + 1)
