# D = alpha A B C + beta D, in index notation
# small: ni=17 nj=19 nk=13 nl=23
import "report.dsl"
const ni = 360
const nj = 400
const nk = 440
const nl = 480

let a = [f64((i * j + 1) % ni) / ni for i in 0:ni, j in 0:nk]
let b = [f64(i * (j + 1) % nj) / nj for i in 0:nk, j in 0:nj]
let c = [f64((i * (j + 3) + 1) % nl) / nl for i in 0:nj, j in 0:nl]
let d = [f64(i * (j + 2) % nk) / nk for i in 0:ni, j in 0:nl]
let alpha = 1.5
let beta = 1.2
let start = time()
let tmp = [alpha * sum(a[i, k] * b[k, j] for k) for i, j]
let result = [sum(tmp[i, k] * c[k, j] for k) + beta * d[i, j] for i, j]
print("time", time() - start)
report(result)
