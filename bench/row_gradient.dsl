# The gradient of rows of a table that other numbers choose: each adds what it gives to its row
const v = 5000
const d = 64
const m = 20000
const reps = 10

fn loss(w: f64[v, d], ids: int[m]) -> f64 = sum(w[ids]^2) / 2

var w = [f64((i * d + k) * 7919 % 10007) / 10007.0 for i in 0:v, k in 0:d]
let ids = [i * 7919 % v for i in 0:m]
var g = grad(loss, wrt=w)(w, ids)
let start = time()
for r in 0:reps {
    w -= 1e-6 * g
    g = grad(loss, wrt=w)(w, ids)
}
let seconds = (time() - start) / reps
print("check", sum(g))
print("time", seconds)
