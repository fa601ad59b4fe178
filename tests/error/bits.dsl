let a = 1.5 & 3
let b = ~2.0
let c = ~true
let d = 1 << 2.0
var e = 2.0
e |= 1
print(a, b, c, d, e)
