# Rows, products, reductions and systems of three elements are values, through loops that update them; so are the bounds
# of inner loops that depend on outer ones.  An array with an index of run time, or of more elements, stays.
# RUN: dslc --emit=par %s | FileCheck %s
# CHECK-LABEL: main @main
# CHECK: name = "known"
# CHECK-NOT: alloc
# CHECK: name = "open"
# CHECK: %c = alloc : buf<i64[3], private>
# CHECK-NOT: alloc
# CHECK: name = "long"
# CHECK: alloc : buf<f64[40], private>
kernel known(y: out f64[n, 3], p: f64[n, 3], a: f64[3, 3], steps: int) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        var v = a @ p[i]
        for t in 0:steps {
            let d = v - p[t % n]
            v += cross(d, p[i]) / sum(d^2)
            for k in 0:3 { for l in k + 1:3 { v[k] -= v[l] * a[k, l] } }
            if v[0] > 1 { v = solve(a, v) }
        }
        y[i] = v
    }
}
kernel open(y: out int[n], x: int[n, 4]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        var c = [0, 0, 0]
        let w = x[i] * 2
        for k in 0:4 { c[x[i, k] % 3] += w[k] }
        y[i] = max(c)
    }
}
kernel long(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        let v = [x[i] * k for k in 0:40]
        y[i] = max(v) - v[7]
    }
}
arg n: int = 100
arg steps: int = 10
let p = [[sin(f64(i + j)) for j in 0:3] for i in 0:n]
var y = zeros(f64, n, 3)
launch known[ceildiv(n, 32), 32](y, p, [[2.0, 1.0, 0.0], [1.0, 3.0, 0.5], [0.0, 0.0, 1.0]], steps)
var z = zeros(int, n)
launch open[ceildiv(n, 32), 32](z, [[i * k for k in 0:4] for i in 0:n])
var u = zeros(f64, n)
launch long[ceildiv(n, 32), 32](u, y[:, 0])
print(sum(y), sum(z), sum(u))
