var h = zeros(int, 4)
let idx = [0, 1, 1]
h[idx] += 1
h[idx] = 7
h[idx, idx] = 1
var m = zeros(f64, 4, 4)
m[idx, idx] = 1.0
print(h, m[idx, [1]])
