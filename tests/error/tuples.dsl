let (a, b) = (1, 2, 3)
let (c, d) = 5
let t = (1, 2.0)
var i = 0
let x: f64 = t[i]
let y = t[5]
var (e, f) = (1, 2)
(e, f) = (1, 2, 3)
(e, f) = (2.5, 1)
print(a, b, c, d, x, y, e, f)
