# The error function at its ends, on both sides of where its ways meet, odd, of f32 and f64, in arrays and alone
let inf = 1.0 / 0.0
print(erf(0.0), erf(-0.0), erf(inf), erf(-inf), erf(0.0 / 0.0), erf(6.5), erf(-100.0), erf(1e-310), erf(1e300))
let x = [f64(i - 700) / 100 for i in 0:1400]
let y = erf(x)
print(all(y == [erf(x[i]) for i in 0:1400]), max(abs(y + [erf(-x[i]) for i in 0:1400])), all(y[0:1399] <= y[1:1400]))
print(y[750], y[799], y[800], y[801], y[1000])
# erf(0.5), erf(1), erf(2), erf(3) by tables
print(abs(erf([0.5, 1.0, 2.0, 3.0]) - [0.5204998778130465, 0.8427007929497149, 0.9953222650189527, 0.9999779095030014]) <= 1.2e-16)
let s = erf([f32(v) for v in x])
print(max(abs([f64(v) for v in s] - y)) < 1e-7, s[750], s[800], erf(f32(0.25)), erf(f32(9)))
print(max(abs(y + erfc(x) - 1)) < 3e-16)
