let a = [100 * i + 10 * j + k for i in 0:2, j in 0:3, k in 0:2]
print(a, a[1, 2, 1], a[1], a[:, 1, :], a[0, :, 1])
print(sum(a, 0), sum(a, 1), sum(a, 2), sum(a))
print(transpose(a, 2, 0, 1)[1, 1, 2], a.T[0, 1, 1])
var b = a
b[0, 1] = [7, 7]
b[:, :, 0] = 0
b[1][2][1] = 5
print(b)
kernel fill(x: inout int[n, m, p]) {
    let i = thread.z
    let j = thread.y
    let k = thread.x
    x[i, j, k] = -x[i, j, k]
}
launch fill[1, (2, 3, 2)](b)
print(b)
