# Ints and floats: division, floors, signs, power, bits, wrap-around
print(7 / 2, 7 // 2, 7 % 2, -7 // 2, -7 % 2, 7 // -2, 7 % -2)
print(7.5 // 2.0, -7.5 // 2.0, 7.5 % 2.0, -7.5 % 2.0)
print(2^10, 3^0, (-2)^3, 2.0^0.5, 2.0^-2, 10.0^3)
let x = 3
let y = 4
print(x + y * 2 - 1, (x + y) * 2, -x^2, x^y)
print(6 & 3, 6 | 3, 6 xor 3, ~6, 1 << 4, -16 >> 2, int(1) << 70)
let big: i8 = 127
print(big + 1, u8(255) + 1, i32(2147483647) + 1)
print(x == 3, x != 3, x < y, x >= y, not (x < y))
print(1e-3, 1.0e10, 1e22, 0.1 + 0.2, 1.0 / 3.0, -0.0)
print(f32(0.1), f32(1) / 3, f32(16777217.0))
