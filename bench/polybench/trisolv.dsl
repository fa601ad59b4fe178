# A lower triangular system, solved forwards, with a sum
# small: n=60
import "report.dsl"
const n = 5000

fn solve_lower(l: f64[m, m], b: f64[m]) -> f64[m] {
    var x = zeros(f64, m)
    for i in 0:m {
        x[i] = (b[i] - sum(l[i, j] * x[j] for j in 0:i)) / l[i, i]
    }
    return x
}

let l = [f64(i + n - j + 1) * 2 / n for i in 0:n, j in 0:n]
let b = [f64(i) for i in 0:n]
let start = time()
let x = solve_lower(l, b)
print("time", time() - start)
report(x)
