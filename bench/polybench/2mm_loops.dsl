# D = alpha A B C + beta D, as kernels with one thread for each element
# small: ni=17 nj=19 nk=13 nl=23
import "report.dsl"
const ni = 360
const nj = 400
const nk = 440
const nl = 480

kernel first(tmp: out f64[n, m], a: f64[n, l], b: f64[l, m], alpha: f64) {
    let j = block.x * blockdim.x + thread.x
    let i = block.y * blockdim.y + thread.y
    if i < n and j < m {
        var s = 0.0
        for k in 0:l { s += alpha * a[i, k] * b[k, j] }
        tmp[i, j] = s
    }
}

kernel second(d: inout f64[n, m], tmp: f64[n, l], c: f64[l, m], beta: f64) {
    let j = block.x * blockdim.x + thread.x
    let i = block.y * blockdim.y + thread.y
    if i < n and j < m {
        var s = beta * d[i, j]
        for k in 0:l { s += tmp[i, k] * c[k, j] }
        d[i, j] = s
    }
}

let a = [f64((i * j + 1) % ni) / ni for i in 0:ni, j in 0:nk]
let b = [f64(i * (j + 1) % nj) / nj for i in 0:nk, j in 0:nj]
let c = [f64((i * (j + 3) + 1) % nl) / nl for i in 0:nj, j in 0:nl]
var d = [f64(i * (j + 2) % nk) / nk for i in 0:ni, j in 0:nl]
var tmp = zeros(f64, ni, nj)
let start = time()
launch first[(ceildiv(nj, 32), ceildiv(ni, 8)), (32, 8)](tmp, a, b, 1.5)
launch second[(ceildiv(nl, 32), ceildiv(ni, 8)), (32, 8)](d, tmp, c, 1.2)
print("time", time() - start)
report(d)
