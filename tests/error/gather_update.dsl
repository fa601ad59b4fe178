var h = zeros(int, 4)
let idx = [0, 1, 1]
h[idx] += 1
h[idx] = 7
h[idx, idx] = 1
var m = zeros(f64, 4, 4)
m[idx, idx] = 1.0
m[idx, [1]] += 1
print(h, m[idx, [0, 1]], m[idx, newaxis, idx])
m[idx, [0, 1]] += 1
m[idx, idx] = [1.0, 2.0]
m[idx, idx] -= [1.0, 2.0]
m[idx, 0.5] *= 2
m[idx, [[1]]] = 1
var t = zeros(f64, 4, 3, 4)
print(t[idx, :, idx], t[idx, idx, :], t[:, idx, idx])
t[idx, 0:2, idx] = 0
t[idx, :, idx] += 1
t[idx, idx] += [1.0, 2.0, 3.0]
parallel for i in 0:4 { t[i, idx, idx] += 1 }
