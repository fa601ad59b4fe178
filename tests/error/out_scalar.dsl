struct P { x: f64 }
kernel k(total: inout f64, p: out P, y: out f64[1]) {
    total = 1.0
    y[0] = 2.0
}
