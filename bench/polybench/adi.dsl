# Alternating directions for the heat equation: a tridiagonal system for every column, then for every row
# small: n=20 steps=2
import "report.dsl"
const n = 800
const steps = 4

fn sweep(u0: f64[m, m], turns: int) -> f64[m, m] {
    let dx = 1 / f64(m)
    let dt = 1 / f64(turns)
    let r1 = 2 * dt / (dx * dx)
    let r2 = dt / (dx * dx)
    let a = -r1 / 2
    let b = 1 + r1
    let c = a
    let d = -r2 / 2
    let e = 1 + r2
    let f = d
    var u = u0
    var v = zeros(f64, m, m)
    var p = zeros(f64, m, m)
    var q = zeros(f64, m, m)
    for t in 0:turns {
        parallel for i in 1:m - 1 {
            v[0, i] = 1
            p[i, 0] = 0
            q[i, 0] = v[0, i]
            for j in 1:m - 1 {
                p[i, j] = -c / (a * p[i, j - 1] + b)
                q[i, j] = (-d * u[j, i - 1] + (1 + 2 * d) * u[j, i] - f * u[j, i + 1] - a * q[i, j - 1]) / (a * p[i, j - 1] + b)
            }
            v[m - 1, i] = 1
            for j in m - 2:0:-1 { v[j, i] = p[i, j] * v[j + 1, i] + q[i, j] }
        }
        parallel for i in 1:m - 1 {
            u[i, 0] = 1
            p[i, 0] = 0
            q[i, 0] = u[i, 0]
            for j in 1:m - 1 {
                p[i, j] = -f / (d * p[i, j - 1] + e)
                q[i, j] = (-a * v[i - 1, j] + (1 + 2 * a) * v[i, j] - c * v[i + 1, j] - d * q[i, j - 1]) / (d * p[i, j - 1] + e)
            }
            u[i, m - 1] = 1
            for j in m - 2:0:-1 { u[i, j] = p[i, j] * u[i, j + 1] + q[i, j] }
        }
    }
    return u
}

let u0 = [f64(i + n - j) / n for i in 0:n, j in 0:n]
let start = time()
let u = sweep(u0, steps)
print("time", time() - start)
report(u)
