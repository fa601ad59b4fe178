fn f() {
    let a: int
    const b: int
    var c
    var s: str
    var d: f64[q]
    print(a, b, c, s, d)
}
