let x = [10, 20, 30, 40]
let order = [3, 1, 0]
print(x[order], x[order][1])
let m = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
print(m[[2, 0], :], m[:, [1, 0, 1]], m[[0, 2], 1])
var y = zeros(int, 4)
y[order] = [7, 8, 9]
print(y)
