# Indices made from floats: what does not fit, ends of the range, NaN
kernel count(h: inout int[m], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { atomic h[min(int(x[i] * m), m - 1)] += 1 }
}

kernel look(y: out f64[n], t: f64[m, k], x: f32[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = t[1, int(x[i])] + t[min(1, m - 1), int(x[i])] }
}

fn bins(x: f64[n], m: int) -> int[m] {
    var h = zeros(int, m)
    launch count[ceildiv(n, 8), 8](h, x)
    return h
}

let big = 1e300
let nan = (big * big) / (big * big)
let x = [0.0, -0.0, -0.19, 0.2, 0.999, 1.0, 1e18, 9.3e18, 1e300, big * big, nan, 0.5]
print(bins(x, 5), bins(x, 1), bins(x, 4))
let t = [10.0 * i + j for i in 0:2, j in 0:4]
var y = zeros(f64, 4)
launch look[1, 4](y, t, [f32(0.9), f32(3.9), f32(-0.9), f32(1)])
print(y)
