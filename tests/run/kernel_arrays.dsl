kernel k1(y: inout f64[n, 3], x: f64[n, 3]) {
    let i = thread.x
    y[i, :] = x[i, :] * 2
    y[i, 1:] += 1.0
    let r = x[i, ::-1]
    y[i, 0] = sum(r * x[i, :]) + max(abs(r))
    var t = zeros(f64, 3)
    t[:] = x[i]
    t = t + 1
    y[i, 2] = t[0] + len(t)
}
var y = zeros(f64, 2, 3)
launch k1[1, 2](y, [[1.0, 2.0, 3.0], [4.0, 5.0, -6.0]])
print(y)
var z = zeros(f64, 2, 3)
parallel for i in 0:2 {
    let row = [f64(i + j) for j in 0:3]
    z[i] = row
    z[i, 0] = sum(row * row)
}
print(z)
