# y = A' (A x), in index notation
# small: m=30 n=34
import "report.dsl"
const m = 3800
const n = 4200

let a = [f64((i + j) % n) / (5 * m) for i in 0:m, j in 0:n]
let x = [1 + f64(i) / n for i in 0:n]
let start = time()
let tmp = [sum(a[i, j] * x[j] for j) for i]
let y = [sum(a[i, j] * tmp[i] for i) for j]
print("time", time() - start)
report(y)
