let a: u8 = 300
let b: i8 = -129
let c: u8 = 255 + 1
let d: u16 = 3
print(a, b, c, d + 70000)
