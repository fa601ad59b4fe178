# RUN: run interp
# Indices are tested a strip at a time; the one that is outside is still named.
kernel count(h: inout int[m], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { atomic h[min(int(x[i] * m), m - 1)] += 1 }
}
var h = zeros(int, 16)
launch count[8, 64](h, [if i == 300 { -1.0 } else { f64(i) / 512 } for i in 0:512])
