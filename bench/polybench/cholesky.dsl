# Cholesky decomposition, column after column, with sums
# small: n=22
import "report.dsl"
const n = 800

fn factor(a: f64[m, m]) -> f64[m, m] {
    var l = zeros(f64, m, m)
    for j in 0:m {
        l[j, j] = sqrt(a[j, j] - sum(l[j, k]^2 for k in 0:j))
        parallel for i in j + 1:m {
            l[i, j] = (a[i, j] - sum(l[i, k] * l[j, k] for k in 0:j)) / l[j, j]
        }
    }
    return l
}

let a = [f64(i * j % n) / n + (if i == j { f64(n) } else { 0.0 }) for i in 0:n, j in 0:n]
let start = time()
let l = factor(a)
print("time", time() - start)
report(l)
