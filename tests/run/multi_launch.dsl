kernel scale(x: inout f64[n], k: int) {
    let m = k * 2
    var t: f64[4]
    for i in 0:m { t[i % 4] += f64(i) }
    let i = thread.x
    if i < n { x[i] = x[i] * k + t[0] }
}
fn both(a: f64[n], b: f64[m]) -> (f64[n], f64[m]) {
    var x = a
    var y = b
    launch scale[1, 8](x, 2)
    launch scale[1, 8](y, 3)
    launch scale[1, n](x, m)
    return (x, y)
}
let (p, q) = both([1.0, 2.0], [3.0, 4.0, 5.0])
print(p, q)
