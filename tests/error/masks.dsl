# What masks, filters and defaults cannot
var x = [1.0, 2.0, 3.0]
let m = [[true, false], [false, true]]
print(x[[true, false]])
print(x[m])
x[[true, false]] = 1
x[x > 1] = "a"
x[x > 1] += m
x[[0.5]] += 1
let y = [1, 2]
y[y > 1] = 0
parallel for i in 0:3 {
    x[x > i] = 0
}
kernel k(a: inout f64[n], at: int[n]) {
    a[at] += 1
    let b = a[a > 0]
}
struct P { x: f64 = 1, n: int = 2.5 }
print(P())
