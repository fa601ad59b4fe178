# s = A' r and q = A p, in index notation
# small: n=34 m=30
import "report.dsl"
const n = 4200
const m = 3800

let a = [f64(i * (j + 1) % n) / n for i in 0:n, j in 0:m]
let p = [f64(i % m) / m for i in 0:m]
let r = [f64(i % n) / n for i in 0:n]
let start = time()
let s = [sum(r[i] * a[i, j] for i) for j]
let q = [sum(a[i, j] * p[j] for j) for i]
print("time", time() - start)
report(s)
report(q)
