# Vectors with one element beside masks and others; rows of a matrix and fields as vectors of indices
var m2 = [[10.0 * i + j for j in 0:3] for i in 0:2]
print(m2[[0], [true, false, true]], m2[[true, false], [1]], m2[[1], [2]], m2[[0], [0, 1, 2]], m2[[1], [true, false, true]])
let t2 = [100 * i + 10 * j + k for i in 0:2, j in 0:2, k in 0:3]
print(t2[:, [0], [true, false, true]], t2[[1], [0, 1]], t2[[0], [1], [2, 0]])
m2[[0], [true, false, true]] = 3
m2[[1], [true, false, true]] += 1
print(m2)
m2[[true, false], [false, true, false]] += [2.0]
var x2 = ones(int, 2, 3)
x2[[0], x2[0] > 0] += 1
print(m2, x2)
var m = ones(int, 3, 4)
let t = [[0, 3], [1, 2]]
m[[true, false, true], t[0]] += 1
print(m)
m[t[0] % 3, t[1]] += 1
print(m)
var x = zeros(int, 4)
x[t[0]] += 1
print(x)
struct P { rows: int[k], cols: int[k] }
let p = P([0, 0, 2], [1, 1, 3])
m[p.rows, p.cols] += 10
x[p.cols] += 5
print(m, x)
var k3 = zeros(int, 2, 3)
k3[0][t[1]] += 1
print(k3, m[p.rows, p.cols])
var z = zeros(f64, 3, 3)
for i in 0:3 { z[i][t[0][0]] += 1; z[i, t[1, 1]] = 4 }
print(z)
