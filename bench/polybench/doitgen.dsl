# Multiresolution analysis: every row of a cube times a matrix, in index notation
# small: nq=7 nr=9 np=11
import "report.dsl"
const nq = 90
const nr = 100
const np = 110

let a0 = [f64((i * j + k) % np) / np for i in 0:nr, j in 0:nq, k in 0:np]
let c4 = [f64(i * j % np) / np for i in 0:np, j in 0:np]
let start = time()
let a = [sum(a0[r, q, s] * c4[s, p] for s) for r, q, p]
print("time", time() - start)
report(a)
