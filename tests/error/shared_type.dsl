struct P { x: f64 }
kernel k(y: out f64[n]) {
    shared a: f64
    shared b: P[4]
    shared c: f64[m]
    var count = 3
    shared d: f64[count]
    y[0] = a
}
