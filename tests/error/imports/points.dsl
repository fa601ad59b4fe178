struct point { x: f64 }
fn made(x: f64) -> point = point(x=x)
