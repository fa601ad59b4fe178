# A thread's own arrays that are written before they are read are not filled with zeros, as lanes of neighbouring threads
# and one by one.
# RUN: dslc --emit=c %s | FileCheck %s
const n = 40
const systems = 256
# CHECK: _Alignas(64) double c[40][64];
# CHECK: _Alignas(64) double d[40][64];
kernel solve(x: inout f64[n, systems], a: f64[n, systems], b: f64[n, systems]) {
    let s = block.x * blockdim.x + thread.x
    if s < systems {
        var c = zeros(f64, n)
        var d = zeros(f64, n)
        c[0] = a[0, s]
        d[0] = b[0, s]
        for i in 1:n {
            c[i] = 1.0 / (a[i, s] - c[i - 1])
            d[i] = (b[i, s] - d[i - 1]) * c[i]
        }
        x[n - 1, s] = d[n - 1]
        for k in 1:n { x[n - 1 - k, s] = d[n - 1 - k] - c[n - 1 - k] * x[n - k, s] }
    }
}
# The first element is not written; so much only as an argument says
# CHECK: _Alignas(64) double c[40][64] = {0};
kernel from_one(x: inout f64[n, systems], a: f64[n, systems]) {
    let s = block.x * blockdim.x + thread.x
    if s < systems {
        var c = zeros(f64, n)
        for i in 1:n { c[i] = 1.0 / (a[i, s] - c[i - 1]) }
        x[n - 1, s] = c[n - 1]
        for k in 1:n { x[n - 1 - k, s] = c[n - 1 - k] * x[n - k, s] }
    }
}
# CHECK: _Alignas(64) double c[40] = {0};
kernel up_to(y: inout f64[m], at: int[m], last: int) {
    let s = block.x * blockdim.x + thread.x
    if s < m {
        var c = zeros(f64, n)
        for i in 0:last { c[i] = 1.0 / (f64(i) + f64(s)) }
        y[s] += c[at[s]]
    }
}
# CHECK: _Alignas(64) double c[40];
kernel all_of_it(y: inout f64[m], at: int[m]) {
    let s = block.x * blockdim.x + thread.x
    if s < m {
        var c = zeros(f64, n)
        for i in 0:n { c[i] = 1.0 / (f64(i) + f64(s)) }
        y[s] += c[at[s]] + c[at[s] // 2]
    }
}
export fn go(x: f64[n, systems], a: f64[n, systems], v: f64[m], at: int[m], last: int) -> (f64[n, systems], f64[m]) {
    var u = x
    launch solve[systems // 64, 64](u, a, x)
    launch from_one[systems // 64, 64](u, u * 2)
    var y = v
    launch up_to[ceildiv(m, 64), 64](y, at, last)
    launch all_of_it[ceildiv(m, 64), 64](y, at)
    return (u, y)
}
