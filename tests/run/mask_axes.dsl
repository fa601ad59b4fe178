# Masks on an axis: numbers and arrays, of rows, columns, three axes, complex numbers
var m = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
m[[true, false, true]] = [[5.0, 6.0], [7.0, 8.0]]
print(m)
m[[true, false, true]] += [[1.0, 1.0], [2.0, 2.0]]
m[[true, false, false]] = 0
m[:, [true, false]] *= 10
m[:, [false, true]] = [[9.0], [8.0], [7.0]]
print(m)
var z = [[1im, 2.0 + 0im], [3im, 4.0 + 0im]]
z[:, [true, false]] += 2
print(z)
var t = zeros(int, 2, 2, 3)
t[:, :, [true, false, true]] += 5
t[1, [true, false]] = [7, 8, 9]
print(t)
