kernel k(y: inout f64[n], s: inout int[1]) {
    var total = 0.0
    atomic total += 1.0
    atomic y += 1.0
    atomic y[0:2] += 1.0
    atomic y[0] += 1.0
    atomic s[0] += 1.5
    atomic s[0] max= 3
    y[0] = total
}
