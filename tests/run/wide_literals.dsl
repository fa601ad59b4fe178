# Literals at the ends of their types
let x: u64 = 18446744073709551615
let y: u64 = 0xFFFF_FFFF_FFFF_FFFF
let z = 9223372036854775808
const big = 10000000000000000000
print(x, y, z, x - 1, big, u64(1) + big, -9223372036854775808, f64(z), 18446744073709551615 // 10)
let h: f16 = 65504
let w: f32 = 3.4e38
const huge = 1e300
print(h * 1e10, w, f32(huge), [u64(1), 9223372036854775808])
