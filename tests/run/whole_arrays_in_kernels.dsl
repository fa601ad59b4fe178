# Reductions, products and calls over whole arrays that a kernel only reads: once per launch where they do not depend on the
# thread, else once per thread; with the bits that they have outside.
struct Pair { lo: f64, hi: f64 }

fn distance(x: f64[n], y: f64[n]) -> f64 {
    if n == 0 { return -1.0 }
    return sqrt(sum((x[i] - y[i])^2 for i in 0:n))
}
fn range_of(x: f64[n]) -> Pair = Pair(min(x), max(x))
fn weighted(x: f64[n], k: int) -> f64 = sum(x[i] * (i + k) for i in 0:n)
fn row_sum(a: f64[n, m], i: int) -> f64 {
    var s = 0.0
    for j in 0:m { s += a[i, j] }
    return s
}
fn first_above(x: f64[n], limit: f64) -> int {
    for i in 0:n {
        if x[i] > limit { return i }
    }
    return n
}

kernel by_sum(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = x[i] / sum(x) }
}
kernel by_loop(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i >= n { return }
    var s = 0.0
    for j in 0:n { s += x[j] * x[j] }
    y[i] = x[i] / sqrt(s)
}
kernel by_norm(y: out f64[n], x: f64[n], z: f64[n], scale: f64) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        let r = range_of(x)
        y[i] = scale * (x[i] - r.lo) / (r.hi - r.lo) + norm(x) / mean(z) + x @ z + distance(x, z)
    }
}
kernel of_each(y: out f64[n], a: f64[n, m], x: f64[m]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = row_sum(a, i) + weighted(x, i) + variance(x) + first_above(x, f64(i) / 2) }
}
# What the kernel itself writes is summed anew in each place.
kernel own(y: inout f64[n], s: inout f64[n]) {
    let i = thread.x
    y[i] += 1.0
    barrier
    s[i] = sum(y)
    barrier
    y[i] *= 2.0
    barrier
    s[i] += sum(y) * 1000.0
}
kernel uniform_branch(y: out f64[n], x: f64[n], wanted: bool) {
    let i = thread.x
    if wanted { y[i] = sum(x) } else { y[i] = -x[i] }
}
kernel shared_sums(y: out f64[n], x: f64[n]) {
    shared t: f64[8]
    t[thread.x] = x[block.x * 8 + thread.x]
    barrier
    y[block.x * 8 + thread.x] = sum(t) + max(t[k] for k in 0:8)
}

fn run(x: f64[n], z: f64[n]) -> f64[n] {
    var y = zeros(f64, n)
    var total = zeros(f64, n)
    launch by_sum[ceildiv(n, 32), 32](y, x)
    total = total + y
    launch by_loop[ceildiv(n, 32), 32](y, x)
    total = total + y
    launch by_norm[ceildiv(n, 32), 32](y, x, z, 0.5)
    total = total + y
    launch by_norm[ceildiv(n, 32), 32](y, y, y, 2.0)
    return total + y
}

fn several(x: f64[n], steps: int) -> f64[n] {
    var y = x
    for t in 0:steps {
        let z = y
        parallel for i in 0:n { y[i] = z[i] / norm(z) + mean(z) }
    }
    return y
}

fn shifted(x: f64[n]) -> f64[20] {
    var y = zeros(f64, 20)
    parallel for i in 0:20 { y[i] = norm(x) + mean(x) * i }
    return y
}

let x = linspace(1.0, 2.0, 101)
let z = [sin(f64(i)) + 1.5 for i in 0:101]
let y = run(x, z)
print(sum(y), y[0], y[50], y[100])
print(norm(x), mean(z), x @ z, distance(x, z))
print(sum(several(z, 3)))
print(sum(shifted(linspace(0.0, 1.0, 5000))))

var e = zeros(f64, 7)
launch of_each[2, 4](e, [f64(i * j) for i in 0:7, j in 0:5], linspace(0.0, 3.0, 5))
print(e)
var o = linspace(0.0, 1.0, 16)
var s = zeros(f64, 16)
launch own[1, 16](o, s)
print(o[15], s[0], s[15])
var u = zeros(f64, 4)
launch uniform_branch[1, 4](u, [1.0, 2.0, 3.0, 4.0], true)
print(u)
launch uniform_branch[1, 4](u, [1.0, 2.0, 3.0, 4.0], false)
print(u)
var w = zeros(f64, 24)
launch shared_sums[3, 8](w, linspace(0.0, 2.3, 24))
print(w[0], w[8], w[23])
# no iterations: nothing is asked of the empty array
let none = zeros(f64, 0)
print(several(none, 2), distance(none, none))
