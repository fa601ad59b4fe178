# Sizes that are found in a slice, and what gets them from there, whichever stands first; slices without elements
fn id(j: int) -> int = j
let n = id(6)
var y = [f64(i) for i in 0:n]
let m = [f64(10 * i + j) for i in 0:n, j in 0:n]
print(sum(2 * y[id(1):id(3)]), sum(where(true, 2.0, y[id(1):id(3)])), 2^y[id(1):id(3)], max(2.0, y[id(1):id(3)]))
print(y + m[id(1):id(3)])
print(y[id(1):id(3)] + y[id(2):id(4)], y[0:1] + y[id(2):id(4)], id(3) * y[id(1):id(3)], 3 + m[0, id(1):id(2)] * 2)
print(y[0:2] == y[id(3):id(5)], [2 * v for v in y[id(2):id(4)]])
print(sum(y[id(2):id(2)]), max(y[n:]), y[:id(0)], sum(y[4:3:2]), y[-id(0):], [sum(y[i:3]) for i in 0:4])
var s = 0.0
var i = 1
(y[id(1):id(2)], s) = (5, 2)
(i, y[i:3]) = (2, [7, 8])
(y[0:2], y[4:6]) = (y[4:6], y[0:2])
y[id(3):id(3)] = 9
print(y, s, i)
for t in 0:3 { y[t + 1:n - t] += 2 * y[t:n - t - 1] }
print(y)
