fn f(x: f64) -> f64 { return x }
let a = [f, f]
var g = f
let t = (f, 1)
print(f, sin)
let h = f
print(h(1.0), f + 1)
