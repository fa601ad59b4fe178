fn f(x: f64) -> f64 {
    let t2 = (x, x, x, x, x, x, x, x)
    let t3 = (t2, t2, t2, t2, t2, t2, t2, t2)
    let t4 = (t3, t3, t3, t3, t3, t3, t3, t3)
    return t4.0.0.0
}
