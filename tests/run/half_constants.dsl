const great = 70000.0
const greater = 3.4e38
print(f16(0.1) + f16(0.2), f32(f16(0.1)), f64(bf16(0.1)), f16(great), f16(1e-7), f64(f16(6.1e-5)), bf16(greater))
var a = 0.1
var b = 70000.0
var c = 1e-7
var d = 6.1e-5
var e = 3.4e38
print(f16(a) + f16(0.2), f32(f16(a)), f64(bf16(a)), f16(b), f16(c), f64(f16(d)), bf16(e))
