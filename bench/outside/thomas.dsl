# Thomas' algorithm: many tridiagonal systems, one to a thread, neighbours in memory of neighbouring systems
const systems = 4096
const n = 128
const reps = 5

kernel solve_all(x: inout f64[n, m], lower: f64[n, m], diagonal: f64[n, m], upper: f64[n, m], right: f64[n, m]) {
    let s = block.x * blockdim.x + thread.x
    if s < m {
        var c = zeros(f64, n)
        var d = zeros(f64, n)
        c[0] = upper[0, s] / diagonal[0, s]
        d[0] = right[0, s] / diagonal[0, s]
        for i in 1:n {
            let w = diagonal[i, s] - lower[i, s] * c[i - 1]
            c[i] = upper[i, s] / w
            d[i] = (right[i, s] - lower[i, s] * d[i - 1]) / w
        }
        x[n - 1, s] = d[n - 1]
        for k in 1:n {
            let i = n - 1 - k
            x[i, s] = d[i] - c[i] * x[i + 1, s]
        }
    }
}

let lower = [-1.0 - f64((i * systems + s) * 7919 % 10007) / 10007 for i in 0:n, s in 0:systems]
let upper = [-1.0 + f64((i * systems + s) * 31 % 997) / 997 for i in 0:n, s in 0:systems]
let diagonal = [4.0 + f64(i % 7) for i in 0:n, s in 0:systems]
let right = [f64(s % 13) + f64(i) / n for i in 0:n, s in 0:systems]
var x = zeros(f64, n, systems)
launch solve_all[ceildiv(systems, 64), 64](x, lower, diagonal, upper, right)
let start = time()
for r in 0:reps { launch solve_all[ceildiv(systems, 64), 64](x, lower, diagonal, upper, right) }
let seconds = (time() - start) / reps
print("check", sum(x), x[n // 2, systems // 3])
print("time", seconds)
