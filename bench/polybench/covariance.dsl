# Covariance of the columns of a table, in index notation
# small: n=25 m=21
import "report.dsl"
const n = 600
const m = 500

fn covariance(table: f64[k, c]) -> f64[c, c] {
    let mean = [sum(table[i, j] for i) / k for j]
    let x = table - mean
    return [sum(x[l, i] * x[l, j] for l) / (k - 1) for i, j]
}

let table = [f64(i * j) / m for i in 0:n, j in 0:m]
let start = time()
let cov = covariance(table)
print("time", time() - start)
report(cov)
