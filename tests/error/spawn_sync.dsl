fn f(x: f64) -> f64 { return x }
fn g() -> f64 {
    var a = 0.0
    var b = 0.0
    spawn { a = f(1.0) }
    b = f(2.0)
    let early = a + b
    a = 3.0
    spawn { a = 1.0 }
    sync
    for i in 0:3 {
        spawn { b = f(1.0) }
    }
    if b > 1 { return a }
    sync
    return a + b + early
}
