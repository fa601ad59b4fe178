# Literals that the type does not have; and some that it rounds as everywhere.
let a: f32 = 16777217
let b: f16 = 2049
let c: f64 = 9007199254740993
let x: f32 = 0.1
let y = x * 1e-50 + 299792458
let d = u8(300)
let e = int(1e30)
let f = (int(1e19), i32(-3e9), i8(127.9), u8(-1.0), f16(65520), f16(65504), bf16(1e39), f32(1e40))
let g = (1e-400, 4e-324, 0e-400, 0.0e-5, -2.4e-324, 0.000_1e-400)
let fine = (u32(-1), u64(18446744073709551615), i8(0xff), f32(16777217), f32(1e-50), x + 0.1 + 16777216, 1e-300 * 2.0)
print(a, b, c, y, d, e, f, g, fine)
