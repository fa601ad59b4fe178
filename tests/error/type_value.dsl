let a = f64
let b = a(3)
let c = int + 1
let d = [f64, f32]
var e = f32
print(b, c, d, f64)
