# Guards on multiples of the index that only the running program knows: the loop ends where they no longer hold, also
# where they wrap, are negative or 0
kernel mark(y: inout i64[n], width: int, shift: int) {
    let i = block.x * blockdim.x + thread.x
    let lo = i * 2 * width + shift
    if lo < n {
        for k in 0:2 {
            if lo + k >= 0 and lo + k < n { atomic y[lo + k] += i + 1 }
        }
    }
}
fn marked(n: int, width: int, shift: int, blocks: int) -> i64[n] {
    var y = zeros(i64, n)
    launch mark[blocks, 32](y, width, shift)
    return y
}
print(marked(10, 1, 0, 1), marked(10, 3, 0, 1), marked(10, 20, 0, 1), marked(10, 0, 0, 2))
print(marked(10, 2, -6, 1), marked(10, 2, 5, 1), marked(10, 2, 40, 1), marked(10, -1, 8, 1))
print(marked(4, 2^62, 0, 1), marked(4, 2^62 + 1, 0, 2), marked(4, -2^62, 3, 1), marked(4, 2^61, 1, 1))
print(marked(4, 2, 2^63 - 1, 1), marked(4, 2, -2^63, 1), marked(4, 2^31, 1, 1), marked(4, 2^30, 1, 1))

# The bound first, at most, two bounds, one in another's branch; two axes
kernel many(y: inout i64[n], z: inout i64[n, m], w: int) {
    let i = block.x * blockdim.x + thread.x
    if n - 1 >= w * i and i >= 0 { for k in 0:2 { atomic y[0] += i + k } }
    if w * i + 1 <= n and w * i + 3 < 2 * n { for k in 0:2 { atomic y[1] += i + k } }
    if (i + 1) * w < n { for k in 0:2 { atomic y[2] += i * w + k } }
    if i < n { for k in 0:m { if i * w < n - 3 and k * w < m { z[i, k] += i + k } } }
}
var y = zeros(i64, 50)
var z = zeros(i64, 50, 7)
for w in -2:6 { launch many[2, 32](y, z, w) }
print(y[0:3], sum(z), sum(z[9]), z[:, 1])

# A tree of sums: fewer threads at each step
kernel tree(x: inout f64[n]) {
    shared s: f64[64]
    let t = thread.x
    s[t] = if block.x * 64 + t < n { x[block.x * 64 + t] } else { 0.0 }
    barrier
    var step = 1
    while step < 64 {
        let at = 2 * step * t
        if at < 64 { s[at] += s[at + step] }
        barrier
        step *= 2
    }
    if t == 0 { x[block.x * 64] = s[0] }
}
var x = [f64(i % 7) for i in 0:150]
launch tree[3, 64](x)
print(x[0], x[64], x[128])

const runs = 4097
# Runs of one width, each merged by one thread: the last passes have one or two
kernel merge(to: out f64[runs], from: f64[runs], width: int) {
    let lo = (block.x * blockdim.x + thread.x) * 2 * width
    if lo < runs {
        let mid = min(lo + width, runs)
        let hi = min(lo + 2 * width, runs)
        var i = lo
        var j = mid
        for k in lo:hi {
            if i < mid and (j >= hi or from[i] <= from[j]) {
                to[k] = from[i]
                i += 1
            } else {
                to[k] = from[j]
                j += 1
            }
        }
    }
}
fn sorted(x: f64[runs]) -> f64[runs] {
    var a = x
    var b = x
    var width = 1
    while width < runs {
        launch merge[ceildiv(ceildiv(runs, 2 * width), 64), 64](b, a, width)
        let old = a
        a = b
        b = old
        width *= 2
    }
    return a
}
let s = sorted([f64(i * 7919 % 10007) for i in 0:runs])
print(all(s == sort([f64(i * 7919 % 10007) for i in 0:runs])))
