# Several errors in one run; each statement is read for itself
let x 3
let y = 1 +
let z = * 2
print(1 2)
fn (a) -> f64 { return a }
struct P { x f64
    y: f64 }
let q = [1, 2
    3]
ok(1)
return 1 2
