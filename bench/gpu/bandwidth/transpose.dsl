# A matrix, turned
const n = 8192
const reps = 20

var a = [f64((i * n + j) * 7919 % 10007) / 10007.0 for i in 0:n, j in 0:n]
var b = a.T + 0.0
let start = time()
for r in 0:reps {
    b = a.T + f64(r)
    let old = a
    a = b
    b = old
}
let seconds = (time() - start) / reps
print("check", sum([a[i, (7 * i) % n] for i in 0:n]))
print("time", seconds)
print("bytes", 16 * n * n)
