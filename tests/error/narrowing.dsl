let n = 5
let x: f32 = 2.0
let y = n * x
let m: i32 = 7
let u: u32 = 7
let z = m + u
var w: f32 = 0.0
w = f64(3.0)
w += n
print(y, z, w)
