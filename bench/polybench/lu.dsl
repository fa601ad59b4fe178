# LU decomposition in place, without pivoting: the loops of the C program, in order
# small: n=22
import "report.dsl"
const n = 500

fn lu(a0: f64[m, m]) -> f64[m, m] {
    var a = a0
    for i in 0:m {
        for j in 0:i {
            for k in 0:j { a[i, j] -= a[i, k] * a[k, j] }
            a[i, j] /= a[j, j]
        }
        for j in i:m {
            for k in 0:i { a[i, j] -= a[i, k] * a[k, j] }
        }
    }
    return a
}

let a0 = [f64(i * j % n) / n + (if i == j { f64(n) } else { 0.0 }) for i in 0:n, j in 0:n]
let start = time()
let a = lu(a0)
print("time", time() - start)
report(a)
