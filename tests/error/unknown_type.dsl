fn f(x: float) -> doubel { return x }
let p: Piont = 3
struct Point { x: f64 }
let q: Vec = 1
var r: f46[3]
print(f(1.0), p, q, r)
