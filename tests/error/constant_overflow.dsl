# Ints that wrap while compiling, and others that are meant to or do not
const huge = 10^20
const n: int = 4000000000
let a = 2^63
let b = 9223372036854775808 * 2
let c = n * n
let d = 9223372036854775807 + 1
let e = (1 << 70, 3 << 62, -9223372036854775807 - 2, 18446744073709551615 + 1, (-3)^41)
let f: f64 = 2 * 10^20
print(huge, a, b, c, d, e, f)
fn hash(x: u64) -> u64 = (x xor (x >> 33)) * 6364136223846793005 + 1442695040888963407
fn mix(x: int) -> int = x * 6364136223846793005
const seed: u64 = 14695981039346656037
let fine = (-2^63, 2^63 - 1, -(1 << 63), 2^62, 10^18, 10.0^20, 1e20, (-2)^63, (-1)^1000001, 0^3, 1^99, 1 << 62, 0 << 70, 2^0)
let wraps = (seed * 3, u32(4294967295) + 1, i8(127) + 1, 9223372036854775808 + 1, int(9223372036854775807) + 1)
print(fine, wraps, hash(3), mix(3))
