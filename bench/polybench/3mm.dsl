# G = (A B) (C D), in index notation
# small: ni=17 nj=19 nk=13 nl=23 nm=11
import "report.dsl"
const ni = 320
const nj = 360
const nk = 400
const nl = 440
const nm = 480

let a = [f64((i * j + 1) % ni) / (5 * ni) for i in 0:ni, j in 0:nk]
let b = [f64((i * (j + 1) + 2) % nj) / (5 * nj) for i in 0:nk, j in 0:nj]
let c = [f64(i * (j + 3) % nl) / (5 * nl) for i in 0:nj, j in 0:nm]
let d = [f64((i * (j + 2) + 2) % nk) / (5 * nk) for i in 0:nm, j in 0:nl]
let start = time()
let e = [sum(a[i, k] * b[k, j] for k) for i, j]
let f = [sum(c[i, k] * d[k, j] for k) for i, j]
let g = [sum(e[i, k] * f[k, j] for k) for i, j]
print("time", time() - start)
report(g)
