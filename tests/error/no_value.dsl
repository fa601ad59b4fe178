fn show(x: f64) { print(x) }
let a = show(1.0)
print(show(2.0))
var b = 1.0
b = show(3.0)
print(a, b)
