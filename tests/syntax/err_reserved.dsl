let in = 3
fn for(x: f64) = x
fn f(test: f64) = test
let x = y.shared
struct struct { a: f64 }
let y = 1 + launch
