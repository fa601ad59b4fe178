# Relaxation on a line: two half steps, each an assignment of slices
# small: n=50 steps=5
import "report.dsl"
const n = 40000
const steps = 1000

fn relax(a0: f64[m], b0: f64[m], turns: int) -> (f64[m], f64[m]) {
    var a = a0
    var b = b0
    for t in 0:turns {
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a[1:-1] = 0.33333 * (b[:-2] + b[1:-1] + b[2:])
    }
    return (a, b)
}

let a0 = [(f64(i) + 2) / n for i in 0:n]
let b0 = [(f64(i) + 3) / n for i in 0:n]
let start = time()
let (a, b) = relax(a0, b0, steps)
print("time", time() - start)
report(a)
report(b)
