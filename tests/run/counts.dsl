# Atomic updates of few elements by many iterations: on a GPU blocks have copies (lower/counts_device.c)
kernel count(h: inout int[m], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { atomic h[min(int(x[i] * m), m - 1)] += 1 }
}
kernel joint(h: inout i32[8, 5], most: inout u32[8], seen: inout bool[8], a: int[r, c]) {
    let (i, j) = (block.y * blockdim.y + thread.y, block.x * blockdim.x + thread.x)
    if i < r and j < c {
        let v = a[i, j]
        atomic h[v % 8, v % 5] += i32(1)
        if v % 3 == 0 { atomic most[v % 8] max= u32(v) }
        atomic seen[v % 8] = true
    }
}
kernel several(h: inout int[16], out: out int[n], x: int[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        var s = 0
        for k in 0:i % 7 {
            atomic h[(x[i] + k) % 16] += k
            s += k
        }
        out[i] = s
    }
}
kernel with_barrier(h: inout int[4], x: int[n]) {
    shared s: int[64]
    let t = thread.x
    s[t] = x[block.x * 64 + t]
    barrier
    atomic h[s[63 - t] % 4] += 1
}
kernel asked(h: inout int[4], places: out int[n]) {
    let i = block.x * blockdim.x + thread.x
    let old = atomic h[i % 4] += 1
    if old >= 0 { places[i] = 1 }
}
kernel sums(h: inout f64[4], x: int[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { atomic h[x[i] % 4] += 0.5 }
}
kernel alone(h: inout int[4]) { atomic h[block.x % 4] += block.x }

let n = 300001
let x = [f64(i * 7919 % 10007) / 10007.0 for i in 0:n]
let v = [i * 7919 % 10007 for i in 0:n]
var h = zeros(int, 100)
launch count[ceildiv(n, 256), 256](h, x)
launch count[ceildiv(n, 32), 32](h, x)
launch count[1, 64](h, x)
print(sum(h), max(h), min(h), sum(h[i] * (i % 7) for i in 0:100))

let a = reshape(v[0:300000], 500, 600)
var (g, most, seen) = (zeros(i32, 8, 5), zeros(u32, 8), [false for i in 0:8])
launch joint[(19, 63), (32, 8)](g, most, seen, a)
print(g, most, seen)

var (k, out) = (zeros(int, 16), zeros(int, n))
launch several[ceildiv(n, 128), 128](k, out, v)
print(k, sum(out))

var (few, places, halves) = (zeros(int, 4), zeros(int, 6400), zeros(f64, 4))
launch with_barrier[100, 64](few, v)
launch asked[100, 64](few, places)
launch sums[ceildiv(n, 256), 256](halves, v)
launch alone[1000, 1](few)
print(few, sum(places), halves)

# Loops, and other updates
var (bins, table, low, high, either, both, odd) = (zeros(int, 10), zeros(int, 3, 4), full(1000000, 5), full(-7, 5), zeros(int, 2), full(-1, 2), zeros(i32, 3))
parallel for i in 0:n { atomic bins[v[i] % 10] += 1 }
parallel for i in 0:500, j in 0:600 { atomic table[i % 3, a[i, j] % 4] += j }
parallel for i in 0:n {
    atomic low[i % 5] min= v[i] + i
    atomic high[i % 5] max= v[i] - i
}
parallel for i in 0:n {
    atomic either[i % 2] |= v[i] & 3840
    atomic both[i % 2] &= v[i] | 61680
    atomic odd[i % 3] xor= i32(v[i])
}
print(bins, table, low, high, either, both, odd)

# Nothing to count, and more bins than fit
fn tally(n: int, m: int) -> int[m] {
    var h = zeros(int, m)
    parallel for i in 0:n { atomic h[i * i % m] += 1 }
    return h
}
print(tally(0, 3), tally(1, 3), tally(100000, 7), sum(tally(1000, 5000)), max(tally(100000, 5000)))
fn own(x: int[n]) -> int[8] {
    var h = zeros(int, 8)
    parallel for i in 0:n { atomic h[x[i] % 8] += 1 }
    return h
}
print(own(v), own(v[0:0]), own(v[5:6]))
