# Cholesky decomposition: the loops of the C program, in order
# small: n=22
import "report.dsl"
const n = 800

fn factor(a: f64[m, m]) -> f64[m, m] {
    var l = zeros(f64, m, m)
    for i in 0:m {
        for j in 0:i {
            var s = a[i, j]
            for k in 0:j { s -= l[i, k] * l[j, k] }
            l[i, j] = s / l[j, j]
        }
        var d = a[i, i]
        for k in 0:i { d -= l[i, k] * l[i, k] }
        l[i, i] = sqrt(d)
    }
    return l
}

let a = [f64(i * j % n) / n + (if i == j { f64(n) } else { 0.0 }) for i in 0:n, j in 0:n]
let start = time()
let l = factor(a)
print("time", time() - start)
report(l)
