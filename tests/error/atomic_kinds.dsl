# What atomic does not do
var a = [1.0, 2.0]
var n = [1, 2]
var b = [true, false]
parallel for i in 0:2 {
    atomic a[0] *= 2.0
    atomic a[1] |= 1
    atomic b[0] += 1
    atomic n[0] = 2.5
    atomic n[1] = true
    let (x, y) = atomic n[0] += 1
    const c = atomic n[0] += 1
    let h: f64 = atomic n[0] += 1
    let k = atomic n += 1
    print(x, y, c, h, k)
}
let o = atomic n[0] += 1
parallel for i in 0:2 {
    atomic n[0] += 1
    let m = atomic n[0] max= 1
    n[1] = m
}
print(a, b, n, o)
