# Relaxation on a plane, as parallel loops
# small: n=20 steps=3
import "report.dsl"
const n = 1300
const steps = 40

fn relax(a0: f64[m, m], b0: f64[m, m], turns: int) -> (f64[m, m], f64[m, m]) {
    var a = a0
    var b = b0
    for t in 0:turns {
        parallel for i in 1:m - 1, j in 1:m - 1 {
            b[i, j] = 0.2 * (a[i, j] + a[i, j - 1] + a[i, 1 + j] + a[1 + i, j] + a[i - 1, j])
        }
        parallel for i in 1:m - 1, j in 1:m - 1 {
            a[i, j] = 0.2 * (b[i, j] + b[i, j - 1] + b[i, 1 + j] + b[1 + i, j] + b[i - 1, j])
        }
    }
    return (a, b)
}

let a0 = [(f64(i) * (j + 2) + 2) / n for i in 0:n, j in 0:n]
let b0 = [(f64(i) * (j + 3) + 3) / n for i in 0:n, j in 0:n]
let start = time()
let (a, b) = relax(a0, b0, steps)
print("time", time() - start)
report(a)
report(b)
