# RUN: run interp
# Of two indices that are outside the one of the first axis is named, although both are tested a strip at a time.
kernel count(h: inout int[m, m], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { atomic h[min(int(x[i] * m), m - 1), int(x[i] * 2 * m)] += 1 }
}
var h = zeros(int, 16, 16)
launch count[8, 64](h, [if i == 300 { -1.0 } else { f64(i) / 2048 } for i in 0:512])
