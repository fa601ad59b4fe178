let in = 3
fn for(x: f64) = x
fn f(while: f64) = 2
let x = y.const
struct struct { a: f64 }
let y = 1 + launch k
