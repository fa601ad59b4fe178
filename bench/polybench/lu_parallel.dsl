# LU decomposition in place, without pivoting: each step takes an outer product from what remains, rows in parallel
# small: n=22
import "report.dsl"
const n = 500

fn lu(a0: f64[m, m]) -> f64[m, m] {
    var a = a0
    for k in 0:m {
        parallel for i in k + 1:m {
            a[i, k] /= a[k, k]
            for j in k + 1:m { a[i, j] -= a[i, k] * a[k, j] }
        }
    }
    return a
}

let a0 = [f64(i * j % n) / n + (if i == j { f64(n) } else { 0.0 }) for i in 0:n, j in 0:n]
let start = time()
let a = lu(a0)
print("time", time() - start)
report(a)
