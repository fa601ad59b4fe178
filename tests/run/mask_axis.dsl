# A mask on one axis of what is assigned or updated, among indices and slices
var x = [[10 * i + j for j in 0:4] for i in 0:3]
let m = [true, false, true, false]
x[:, m] += 100
print(x)
x[1, m] = 7
print(x)
x[0, m] = [1, 2]
x[2, m] -= [1, 2]
print(x)
x[[false, true, true], :] *= 2
print(x)
x[[true, false, false]] = -1
x[1:, m] = 0
print(x)
var t = zeros(f32, 2, 3, 4)
for k in 0:2 { t[k, :, m] += f32(k) + 0.5 }
t[1, 2, x[2] > 40] = 9
t[:, 0, m] = 3
print(t)
struct Grid { u: f64[n, k], count: int }
var g = Grid(zeros(f64, 2, 2), 1)
g.u[:, [false, true]] = 1
print(g.u)
