# Counting by indices made from floats, a strip of turns at a time: all inside; some clamped; several indices; weights; sizes that are no
# whole strips.
const n = 1000
const bins = 16

kernel count(h: inout int[m], x: f64[k]) {
    let i = block.x * blockdim.x + thread.x
    if i < k { atomic h[min(int(x[i] * m), m - 1)] += 1 }
}

kernel count_clamped(h: inout i32[m], x: f32[k]) {
    let i = block.x * blockdim.x + thread.x
    if i < k { atomic h[max(min(int(x[i] * f32(m)), m - 1), 0)] += 1 }
}

kernel joint(h: inout int[m, m], w: inout f64[m], x: f64[k], y: f64[k]) {
    let i = block.x * blockdim.x + thread.x
    if i < k {
        let a = int(x[i] * m)
        let b = int(y[i] * m)
        atomic h[a, b] += i
        atomic w[a] += y[i]
    }
}

# The second index depends on the first.
kernel chained(h: inout int[m], g: inout int[m], x: f64[k]) {
    let i = block.x * blockdim.x + thread.x
    if i < k {
        let a = int(x[i] * m)
        atomic h[a] += 1
        atomic g[int(f64(a) * x[i])] += a
    }
}

fn turns(k: int) -> f64[k] = [f64(i * 7919 % 1009) / 1009 for i in 0:k]

let sizes = [1, 63, 64, 255, 256, 257, n, 4096]
for s in 0:len(sizes) {
    let k = sizes[s]
    let x = turns(k)
    var h = zeros(int, bins)
    launch count[ceildiv(k, 64), 64](h, x)
    var c = zeros(i32, bins)
    launch count_clamped[ceildiv(k, 64), 64](c, f32(x * 3 - 1))
    var j = zeros(int, 8, 8)
    var w = zeros(f64, 8)
    launch joint[ceildiv(k, 64), 64](j, w, x, x[::-1])
    var p = zeros(int, bins)
    var q = zeros(int, bins)
    launch chained[ceildiv(k, 64), 64](p, q, x)
    print(k, h, c, p, q)
    print(j, w)
}
# NaN counts as 0, what is too large as the last.
var h = zeros(int, bins)
launch count[8, 64](h, [if i == 70 { 0.0 / 0.0 } else if i == 200 { 1e300 } else { f64(i) / 512 } for i in 0:512])
print(h)
