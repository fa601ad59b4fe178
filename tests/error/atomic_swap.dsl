# What compare-and-swap does not do
var x = [1.0, 2.0]
var n = [1, 2]
var b = [true, false]
parallel for i in 0:2 {
    atomic x[0] = 2.0 if 1.0
    let r = atomic x[1]
    atomic n[0] = 2.5 if 1
    atomic n[0] = 2 if true
    atomic b[0] = false if 1
    atomic n = 1 if 2
    let h: f64 = atomic n[0] = 2 if 1
    if r > 1 and h > 1 { n[i] = 1 }
}
let o = atomic n[0]
atomic n[0] = 1 if 2
print(x, n, b, o)
