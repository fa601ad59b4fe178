# Gauss-Seidel relaxation on a plane, nine points, as loops in order
# small: n=18 steps=3
import "report.dsl"
const n = 1500
const steps = 3

fn relax(a0: f64[m, m], turns: int) -> f64[m, m] {
    var a = a0
    for t in 0:turns {
        for i in 1:m - 1 {
            for j in 1:m - 1 {
                a[i, j] = (a[i - 1, j - 1] + a[i - 1, j] + a[i - 1, j + 1] + a[i, j - 1] + a[i, j] + a[i, j + 1]
                         + a[i + 1, j - 1] + a[i + 1, j] + a[i + 1, j + 1]) / 9
            }
        }
    }
    return a
}

let a0 = [(f64(i) * (j + 2) + 2) / n for i in 0:n, j in 0:n]
let start = time()
let a = relax(a0, steps)
print("time", time() - start)
report(a)
