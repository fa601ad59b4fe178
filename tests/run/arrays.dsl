let a = [1.0, 2.0, 3.0, 4.0]
let m = [[1, 2, 3], [4, 5, 6]]
print(a, m)
print(a + 1, 2 * a, a / 2, -a, a * a, a^2, a^3, a^-1)
print(m + [10, 20, 30], m * 2, m // 2, m % 2 == 0)
print(a[0], a[3], m[1, 2], m[1], m[:, 1])
print(a[1:3], a[:2], a[2:], a[::2], a[::-1], a[-2:], a[1:-1])
print(m.T, m.T[2, 0])
print(len(a), size(m, 0), size(m, 1), size(m))
var b = a
b[0] = 100
b[1:3] = [7.0, 8.0]
print(a, b)
b *= 2
b[3] += 0.5
b[:2] -= 1.0
print(b)
var c = m
c[0] = [9, 9, 9]
c[:, 2] = 0
c[1, 0:2] = [5, 5] 
print(c)
print(zeros(f64, 2, 2), ones(int, 3), full(2.5, 2), zeros(bool, 2))
print(reshape(m, 3, 2), transpose(m))
