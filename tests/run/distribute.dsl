# Loops that become two: sums of floats in order after the work that leads to them; a guard on one index.
kernel nearest(sums: inout f64[k], sizes: inout int[k], who: out i32[n], x: f64[n], centre: f64[k], wanted: i32[k]) {
    let i = block.x * blockdim.x + thread.x
    if i >= n { return }
    var best = inf
    var at = 0
    for c in 0:k {
        let d = exp(-(x[i] - centre[c])^2)
        if 1 - d < best {
            best = 1 - d
            at = c
        }
    }
    if wanted[at] == 0 {
        who[i] = i32(-1)
        atomic sums[0] += best / 2
    } else {
        who[i] = i32(at)
        atomic sums[at] += best
        atomic sizes[at] += 1
        for c in 0:at {
            atomic sums[c] += best / 1024
        }
    }
}

kernel rank_one(a: inout f64[n, m], b: inout f64[n], u: f64[n], v: f64[m], skip: int) {
    let i = block.x * blockdim.x + thread.x
    let j = block.y * blockdim.y + thread.y
    if i < n - skip and j < m {
        a[i + skip, j] -= u[i + skip] * v[j]
        if j == 2 {
            b[i + skip] -= u[i + skip] * b[0]
        }
    }
}

let n = 999
let x = [sin(f64(i)) * 3 for i in 0:n]
let centre = [-2.5, -1.0, 0.25, 1.5]
var sums = zeros(f64, 4)
var sizes = zeros(int, 4)
var who = zeros(i32, n)
launch nearest[8, 128](sums, sizes, who, x, centre, [i32(1), 0, 1, 1])
print(sums, sizes, sum(int(who[i]) * (i % 7) for i in 0:n))
var a = [f64(i + j) for i in 0:37, j in 0:23]
var b = [f64(i) for i in 0:37]
b[0] = 7
launch rank_one[(3, 2), (16, 16)](a, b, [cos(f64(i)) for i in 0:37], [f64(j) / 8 for j in 0:23], 3)
print(sum(a), a[5], b)
