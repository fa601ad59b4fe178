fn f(x: f64[n]) -> f64 { return x[n] + x[-1] + x[n + 2] + x[n - 1] }
let a = [1.0, 2.0, 3.0]
const last = -1
print(a[3], a[-1], a[2], a[last], a[len(a)], a[10:], a[0:4], a[1:last], a[2:1], a[-5:], a[::0], a[0:3:1.0])
var s = 2
print(a[::s], a[0:1:-1], a[2:-4:-1])
