# Sweeps over a field in place, over time, each number from neighbours that have been set and that have not; its gradient by the first field
const n = 200
const steps = 20
const reps = 5

fn energy(a: f64[n, n]) -> f64 {
    var u = a
    for t in 0:steps {
        for i in 1:n - 1 {
            for j in 1:n - 1 { u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] * u[i, j - 1] + u[i, j + 1]) }
        }
    }
    return sum(u^2)
}

var a = [f64((i * n + j) * 7919 % 10007) / 10007.0 for i in 0:n, j in 0:n]
var g = grad(energy)(a)
let start = time()
for r in 0:reps {
    a -= 1e-3 * g
    g = grad(energy)(a)
}
let seconds = (time() - start) / reps
print("check", g[1, 1], g[3, 100], g[n - 2, 7])
print("time", seconds)
