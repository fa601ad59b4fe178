const many = 300 # a name: no warning that it does not fit
print(int(2.9), int(-2.9), i8(many), u8(-1.0), u8(f64(many)), f32(0.1))
print(f64(3), bool(2), int(true))
let a: i32 = 7
let b: i64 = a
let c: f64 = a
print(a, b, c, a / 2, a // 2)
let v: f32[3] = [1.0, 2.5, 3.75]
print(v, v * 2, int(v), f64(v))
let m = f16(0.1)
print(m, m + m, bf16(1.0) / bf16(3.0))
