# The likelihood of a Gaussian process with a Cholesky factorisation and a triangular system by hand; its gradient by the parameters
# of the kernel
const n = 256
const reps = 5

fn likelihood(p: f64[3], x: f64[n], y: f64[n]) -> f64 {
    let K = [p[0] * exp(-(x[i] - x[j])^2 * p[1]) + (if i == j { p[2] } else { 0.0 }) for i in 0:n, j in 0:n]
    var L = zeros(f64, n, n)
    for j in 0:n {
        L[j, j] = sqrt(K[j, j] - sum(L[j, m]^2 for m in 0:j))
        for i in j + 1:n { L[i, j] = (K[i, j] - sum(L[i, m] * L[j, m] for m in 0:j)) / L[j, j] }
    }
    var z = zeros(f64, n)
    for i in 0:n { z[i] = (y[i] - sum(L[i, m] * z[m] for m in 0:i)) / L[i, i] }
    return sum(z^2) / 2 + sum(log(L[i, i]) for i in 0:n)
}

var p = [1.0, 0.5, 0.1]
let x = [10 * f64(i * 7919 % 10007) / 10007.0 for i in 0:n]
let y = [f64((i + 17) * 7919 % 10007) / 10007.0 for i in 0:n]
var g = grad(likelihood, wrt=p)(p, x, y)
let start = time()
for r in 0:reps {
    p -= 1e-6 * g
    g = grad(likelihood, wrt=p)(p, x, y)
}
let seconds = (time() - start) / reps
print("check", g[0], g[1], g[2])
print("time", seconds)
