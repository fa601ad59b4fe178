# A thread's own arrays start as zeros: those that are written before they are read, and those of which some element is not
const n = 9
kernel written(y: inout f64[m], x: f64[n, m], k: int) {
    let s = block.x * blockdim.x + thread.x
    if s < m {
        var c = zeros(f64, n)
        c[0] = x[0, s]
        for i in 1:n { c[i] = x[i, s] + c[i - 1] * 0.5 }
        y[s] += c[n - 1] + c[k] + c[0]
    }
}
kernel skipped(y: inout f64[m], x: f64[n, m], k: int) {
    let s = block.x * blockdim.x + thread.x
    if s < m {
        var first = zeros(f64, n)
        for i in 1:n { first[i] = x[i, s] + first[i - 1] }
        var last = zeros(f64, n)
        for i in 0:n - 1 { last[i] = x[i, s] }
        var some = zeros(f64, n)
        for i in 0:n { if x[i, s] > 2.0 { some[i] = x[i, s] } }
        var stride = zeros(f64, n)
        for i in 0:n:2 { stride[i] = x[i, s] }
        var ahead = zeros(f64, n + 1)
        for i in 0:n { ahead[i] = x[i, s] + ahead[i + 1] }
        var up_to = zeros(f64, n)
        for i in 0:k { up_to[i] = x[i, s] }
        var twice = zeros(f64, n)
        for i in 0:n { y[s] += twice[i] }
        for i in 0:n { twice[i] = x[i, s] }
        var back = zeros(f64, n)
        for j in 0:n - 1 { back[n - 2 - j] = x[j, s] + back[n - 1 - j] }
        y[s] += first[n - 1] + last[n - 1] + some[0] + some[1] + stride[1] + stride[2] + ahead[n] + ahead[0] + up_to[n - 1] +
            up_to[0] + twice[k] + back[n - 1] + back[0]
    }
}
kernel tables(y: inout f64[m], x: f64[n, m]) {
    let s = block.x * blockdim.x + thread.x
    if s < m {
        var c = zeros(f64, 3, n)
        for j in 0:n { c[0, j] = x[j, s]; c[1, j] = 1.0 }
        for j in 0:n { c[2, j] = c[0, j] + c[1, j] }
        var d = zeros(f64, n, 2)
        for i in 0:n { d[i, 0] = x[i, s] }
        for i in 1:n { y[s] += c[2, i] + d[i, 1] + d[i - 1, 0] }
    }
}
for m in [1, 40, 64, 131] {
    let x = [f64((i * 7 + s * 3) % 11) for i in 0:n, s in 0:m]
    var y = zeros(f64, m)
    launch written[ceildiv(m, 64), 64](y, x, 3)
    print(m, sum(y), y[m - 1])
    launch skipped[ceildiv(m, 64), 64](y, x, 5)
    print(sum(y), y[m - 1])
    launch tables[ceildiv(m, 64), 64](y, x)
    print(sum(y), y[m - 1])
}
