# Relaxation on a plane, as assignments of slices
# small: n=20 steps=3
import "report.dsl"
const n = 1300
const steps = 40

fn relax(a0: f64[m, m], b0: f64[m, m], turns: int) -> (f64[m, m], f64[m, m]) {
    var a = a0
    var b = b0
    for t in 0:turns {
        b[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])
        a[1:-1, 1:-1] = 0.2 * (b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1] + b[:-2, 1:-1])
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
