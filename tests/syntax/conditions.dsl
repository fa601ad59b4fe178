let a = if x > 0 { 1 } else { 2 }
let b = if x > 0 { f(x) } else if x < 0 { g(x) } else { 0 }
let c = if if p { q } else { r } { 1 } else { 2 }
let d = 1 + if p { 1 } else { 2 }
let e = -if p { 1 } else { 2 } + 3
let f = fn(x) => if x { fn(y) => y } else { fn(z) => z }
fn g(x: f64) -> f64 {
    if x > 0 { x }
    else { -x }
}
fn h(x: f64) -> f64 {
    let t = if x > 0 {
        var s = 0.0
        for i in 0:3 { s += x }
        if s > 1 { s } else { 1 }
    } else {
        while x < 0 { x += 1 }
        x
    }
    return t
}
