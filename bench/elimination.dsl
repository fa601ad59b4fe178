# The logarithm of a determinant by an elimination in place, whose factor is in a variable and goes; its gradient by the matrix
const n = 256
const reps = 5

fn logdet(a: f64[n, n]) -> f64 {
    var u = a
    for k in 0:n {
        for i in k + 1:n {
            let f = u[i, k] / u[k, k]
            for j in k:n { u[i, j] -= f * u[k, j] }
        }
    }
    return sum(log(abs(u[k, k])) for k in 0:n)
}

var a = [f64((i * n + j) * 7919 % 10007) / 10007.0 + (if i == j { f64(n) } else { 0.0 }) for i in 0:n, j in 0:n]
var g = grad(logdet)(a)
let start = time()
for r in 0:reps {
    a -= 1e-3 * g
    g = grad(logdet)(a)
}
let seconds = (time() - start) / reps
print("check", g[0, 0], g[3, 200], g[n - 1, 7])
print("time", seconds)
