var y = zeros(f64, 4)
var s = 0.0
var z = zeros(f64, 4)
parallel for i in 0:4 {
    var local = 1.0
    local += 2.0
    s += y[i]
    y[i] = s + local
    z = y
    y[0:2] = y[1:3]
}
