# Correlation of the columns of a table: means and deviations as sums, the products as a parallel loop over the triangle
# small: n=25 m=21
import "report.dsl"
const n = 600
const m = 500

fn correlation(table: f64[k, c]) -> f64[c, c] {
    let mean = [sum(table[i, j] for i) / k for j]
    let deviation = [sqrt(sum((table[i, j] - mean[j])^2 for i) / k) for j]
    let scale = where(deviation <= 0.1, 1.0, deviation)
    let x = [(table[i, j] - mean[j]) / (sqrt(f64(k)) * scale[j]) for i, j]
    var corr = eye(c)
    parallel for i in 0:c {
        for j in i + 1:c {
            let s = sum(x[l, i] * x[l, j] for l in 0:k)
            corr[i, j] = s
            corr[j, i] = s
        }
    }
    return corr
}

let table = [f64(i * j) / m + i for i in 0:n, j in 0:m]
let start = time()
let corr = correlation(table)
print("time", time() - start)
report(corr)
