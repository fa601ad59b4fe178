fn outer(x: f64) -> f64 {
    fn inner(y: f64) = y
    struct S { a: f64 }
    return inner(x)
}
