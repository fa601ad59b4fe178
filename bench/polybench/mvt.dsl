# x1 += A y1 and x2 += A' y2, as loops
# small: n=40
import "report.dsl"
const n = 4000

let a = [f64(i * j % n) / n for i in 0:n, j in 0:n]
let y1 = [f64((i + 3) % n) / n for i in 0:n]
let y2 = [f64((i + 4) % n) / n for i in 0:n]
var x1 = [f64(i % n) / n for i in 0:n]
var x2 = [f64((i + 1) % n) / n for i in 0:n]
let start = time()
parallel for i in 0:n {
    for j in 0:n { x1[i] += a[i, j] * y1[j] }
}
parallel for i in 0:n {
    for j in 0:n { x2[i] += a[j, i] * y2[j] }
}
print("time", time() - start)
report(x1)
report(x2)
