# The logarithm of a determinant by an elimination in place that exchanges rows; its gradient by the matrix
const n = 256
const reps = 5

fn logdet(a: f64[n, n]) -> f64 {
    var u = a
    for k in 0:n {
        var p = k
        for i in k + 1:n { if abs(u[i, k]) > abs(u[p, k]) { p = i } }
        for j in 0:n {
            let t = u[k, j]
            u[k, j] = u[p, j]
            u[p, j] = t
        }
        for i in k + 1:n {
            let f = u[i, k] / u[k, k]
            for j in k:n { u[i, j] -= f * u[k, j] }
        }
    }
    return sum(log(abs(u[k, k])) for k in 0:n)
}

var a = [f64((i * n + j) * 7919 % 10007) / 10007.0 + (if j == (7 * i + 3) % n { f64(n) } else { 0.0 }) for i in 0:n, j in 0:n]
var g = grad(logdet)(a)
let start = time()
for r in 0:reps {
    a -= 1e-3 * g
    g = grad(logdet)(a)
}
let seconds = (time() - start) / reps
print("check", g[0, 0], g[3, 200], g[n - 1, 7])
print("time", seconds)
