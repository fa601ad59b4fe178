let a: int = 2.5
let b: f32 = 1.0
let c: f64 = [1.0, 2.0]
fn f(x: f32) -> f32 { return x }
print(f(3.0), f(a), f(b * 2), f(f64(1)), f(c))
let d: bool = 1
let e: f64[3] = (1.0, 2.0, 3.0)
if a { print("a") }
while b + 1 { print(1) }
