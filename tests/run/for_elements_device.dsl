# Loops over elements and rows in kernels and parallel for: parameters by element, without copies
struct Body { x: f64, mass: f64 }
const offsets = [-1, 0, 1]
const steps = offsets + 1
const taps = [0.25 * f64(s) for s in steps]

fn total(xs: f64[n]) -> f64 {
    var s = 0.0
    for x in xs { s += x }
    return s
}
fn last_below(xs: f64[n], limit: f64) -> f64 {
    var found = -1.0
    for x in xs[::-1] {
        if x < limit { return x }
        found = x
    }
    return found
}

kernel stencil(y: out f64[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        var s = 0.0
        for d in offsets {
            let at = i + d
            if at >= 0 and at < n { s += x[at] }
        }
        y[i] = s
    }
}

kernel rows(y: out f64[n], a: f64[n, m], w: f64[m], k: f64) {
    let i = thread.x
    if i < n {
        var s = 0.0
        for row in a {
            s += sum(row) * k + row[0] - max(row * w)
            for v in row[1:] { s += v }
            for v in row - w { if v > 3.0 { break } else { s -= v } }
        }
        for column in a.T { s += column[i] * sum(v * v for v in column) }
        y[i] = s + sum(v * k for v in a[i]) + sum(v for row in a, v in row) + total(w) + last_below(w, 2.5)
    }
}

kernel bodies(y: out f64[n], b: Body[n]) {
    let i = thread.x
    if i < n {
        var s = 0.0
        for other in b { s += other.mass * (other.x - b[i].x) }
        y[i] = s + sum(other.mass for other in b)
    }
}

# an array that changes in the loop: of a size that is known, the loop runs over a copy
kernel changing(y: inout f64[n], f: bool) {
    let i = thread.x
    if i < n {
        var z = [1.0, 2.0, 3.0]
        for v in z {
            z[2] = 10
            z[0] += v
        }
        for v in z * 2 { z[1] += v }
        y[i] = z[0] + 100 * z[1]
        if f { for t in taps { y[i] += t } } else { for t in taps { y[i] -= t * taps[i] } }
    }
}

kernel tiles(y: out f64[n], x: f64[n]) {
    shared s: f64[4]
    let t = thread.x
    let i = block.x * 4 + t
    s[t] = if i < n { x[i] } else { 0.0 }
    barrier
    var sum_of_squares = 0.0
    for v in s { sum_of_squares += v * v }
    if i < n { y[i] = sum_of_squares }
}

let x = [1.0, 2.0, 3.0, 4.0, 5.0]
let a = [[1.0, 2.0, 4.0], [8.0, 16.0, 32.0]]
var y = zeros(f64, 5)
launch stencil[2, 3](y, x)
print(y)
launch tiles[2, 4](y, x)
print(y)
var y2 = zeros(f64, 2)
launch rows[1, 2](y2, a, [1.0, 0.5, 3.0], 2.0)
print(y2)
var y3 = zeros(f64, 3)
launch bodies[1, 3](y3, [Body(f64(i), f64(i + 1)) for i in 0:3])
print(y3)
launch changing[1, 3](y3, true)
print(y3)
launch changing[1, 3](y3, false)
print(y3)

var bins = zeros(int, 4)
parallel for v in [3, 1, 1, 0, 3, 3] { atomic bins[v] += 1 }
print(bins)
parallel for v in bins { atomic bins[min(v, 3)] += 10 }
print(bins)
parallel for row in a, i in 0:2 { atomic bins[i] += int(row[i] + sum(row)) }
print(bins)
var table = zeros(f64, 3, 2)
parallel for i in 0:3, j in 0:2 {
    var s = 0.0
    for row in a * 2 { s += row[i] * row[j] }
    for v in x[i:] { s += v }
    table[i, j] = s
}
print(table)
for row in a {
    var o = zeros(f64, 3)
    parallel for i in 0:3 { o[i] = row[i] + sum(v for v in row[:i]) }
    print(o)
}
