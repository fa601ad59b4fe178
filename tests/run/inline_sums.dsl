# Whole-array expressions of many forms in one program
let x = [f64(i) for i in 0:8]
let y = x[::-1]
print(sum(x * y), sum((x - mean(x))^2) / 8, max(abs(x - y)))
let a = [[f64(3 * i + j) for j in 0:3] for i in 0:3]
print(sum(a * a.T), a[1:, :2] + a[:2, 1:], (a @ a)[0], a.T[1])
var b = a
b[1:, 1:] += 100.0
b[0, ::2] = [-1.0, -2.0]
print(b)
b[:, 0] = b[:, 1] + b[:, 2]
print(b, sum(b[i, i] for i in 0:3))
