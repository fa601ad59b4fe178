kernel k(y: out f64[n]) {
    var a: f64[n]
    let b = y[0:n-1]
    var c: f64[4]
    c[0] = 1.0
    shared t: f64[n]
    y[0] = a[0] + b[0] + c[0] + t[0]
}
