let a = true + 1
let b = "x" + "y"
let c = -(1, 2)
fn nothing(x: f64) { print(x) }
let d = nothing(1.0) * 2
print(sqrt(true), a, b, c, d)
