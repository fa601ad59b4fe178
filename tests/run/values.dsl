# Arrays are values
fn change(x: f64[n]) -> f64[n] {
    var y = x
    y[0] = 99
    return y
}
let a = [1.0, 2.0]
let b = change(a)
var c = a
c[1] = 5
var d = c
c[0] = 7
print(a, b, c, d)
var hist = zeros(f64, 3, 2)
for t in 0:3 {
    hist[t] = c
    c += 1
}
print(hist)
kernel bump(x: inout f64[n]) { x[thread.x] += 1 }
let before = c
launch bump[1, 2](c)
print(before, c)
