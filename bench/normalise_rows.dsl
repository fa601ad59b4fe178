# y[i, j] = x[i, j] / sum(x[i]), a thread for each element: the kernel mentions the row's sum in each of them. Time must grow with n*m.
const n = 2000
const m = 3000
const reps = 20

kernel normalise(y: out f64[n, m], x: f64[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < n and j < m { y[i, j] = x[i, j] / sum(x[i]) }
}

var x = [f64((i * m + j) * 7919 % 10007) / 10007.0 for i in 0:n, j in 0:m]
var y = zeros(f64, n, m)
launch normalise[(ceildiv(m, 16), ceildiv(n, 16)), (16, 16)](y, x)
let start = time()
for r in 0:reps {
    x[r, r] = 1e-6 * y[r, r]
    launch normalise[(ceildiv(m, 16), ceildiv(n, 16)), (16, 16)](y, x)
}
let seconds = (time() - start) / reps
print("check", sum(y))
print("time", seconds)
