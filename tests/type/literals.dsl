# Literals and constants written without a type take the type of their context
const half = 0.5
const count = 3
const table: f32[3] = [1, 2, 3]
let x = f32([1.0, 2.0, 3.0])
let y: f32[3] = half * x^2 + 2*x - count
let z: f32 = if sum(x) > 3 { 1.0 } else { 2 }
var acc: f32 = 0
acc += 0.5
acc = acc / 2 + half^2
let u: u8 = 255
let v: u8[2] = [1, 2]
let w: i16 = -3
let wide: int = w + u
let mixed: f64 = f64(wide) * z + acc
let big: f64[2] = v
let h: f16 = 1.5
let computed: f32 = h * 2 + h
let b: bf16[2] = [1, 2.5]
let ones32: f32[2, 2] = full(1, 2, 2)
let comp: f32[3] = [0 for i in 0:3]
let inverse = 2^-1 * x
let mask = (x > 1) & (x < 3) | not (x == 2)
fn f(a: f32, b: i8) -> f32 = a * b
print(y, z, acc, wide, mixed, big, computed, b, ones32, comp, inverse, mask, f(1, 2), table[0] + x)
print(where(x > 1, x, 0), max(x, 0), min(3, 2.5, x))
