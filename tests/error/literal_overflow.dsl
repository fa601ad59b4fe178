let a: f16 = 1e10
let b: f32 = 1e300
let c: f32 = 2
print(c * 1e300)
let d: f32[2] = [1.0, 1e39]
let e: f16 = 65520
let f: int = 9223372036854775808
let g: bf16 = 1e39
let h: u8 = 300
let i: i32 = 2.5
