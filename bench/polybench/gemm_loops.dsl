# C = alpha A B + beta C, as loops
# small: ni=17 nj=21 nk=13
import "report.dsl"
const ni = 500
const nj = 550
const nk = 600

fn gemm(c0: f64[n, m], a: f64[n, l], b: f64[l, m], alpha: f64, beta: f64) -> f64[n, m] {
    var c = c0
    parallel for i in 0:n {
        for j in 0:m { c[i, j] *= beta }
        for k in 0:l {
            for j in 0:m { c[i, j] += alpha * a[i, k] * b[k, j] }
        }
    }
    return c
}

let a = [f64(i * (k + 1) % nk) / nk for i in 0:ni, k in 0:nk]
let b = [f64(k * (j + 2) % nj) / nj for k in 0:nk, j in 0:nj]
let c = [f64((i * j + 1) % ni) / ni for i in 0:ni, j in 0:nj]
let start = time()
let d = gemm(c, a, b, 1.5, 1.2)
print("time", time() - start)
report(d)
