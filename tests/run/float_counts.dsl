# Sums of floats by atomic in launches, exact ones: on a GPU threads of a warp and of a block add up first (lower/counts_device.c,
# runtime/gpu/warp.c); of arrays whose size only the program knows the first elements are in the block's copy
kernel one(total: inout f64[1], x: int[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { atomic total[0] += f64(x[i]) * 0.25 }
}
kernel table(sums: inout f32[4, 6], squares: inout f64[6], sizes: inout i32[4], x: int[r, c]) {
    let (i, j) = (block.y * blockdim.y + thread.y, block.x * blockdim.x + thread.x)
    if i >= r or j >= c { return }
    let v = x[i, j]
    atomic sums[v % 4, v % 6] += f32(v % 16)
    if v % 5 != 0 { atomic squares[v % 6] += f64(v * v) }
    atomic sizes[v % 4] += i32(1)
}
kernel some(h: inout f64[m], low: inout int[m], at: int[n], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        if x[i] > 0.5 { atomic h[at[i]] += x[i] } else { atomic h[m - 1 - at[i]] += 1.0 }
        atomic low[at[i]] min= at[i] - i
    }
}
kernel plane(h: inout f32[a, b], left: inout f32[a, b], x: int[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        for k in 0:3 { atomic h[(x[i] + k) % a, x[i] // a % b] += 1.5 }
        let old = atomic left[x[i] % a, 0] += 1
        if old < 0 { atomic h[0, 0] += 1 }
    }
}
kernel marks(seen: inout bool[m], halves: inout f16[m], bytes: inout u8[m], least: inout i32[m], x: int[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        let at = x[i] % m
        atomic seen[at] = true
        atomic halves[at] = 1.5
        atomic bytes[at] max= 7
        atomic least[at] min= -3
    }
}

fn checked(h: f64[m]) -> (f64, f64) = (sum(h), sum(h[i] * (i % 7) for i in 0:m))

fn tally(m: int, n: int) -> (f64, f64, int) {
    let at = [i * i * 7 % m for i in 0:n]
    let x = [f64(i % 64) / 64 for i in 0:n]
    var h = zeros(f64, m)
    var low = zeros(int, m)
    launch some[ceildiv(n, 128), 128](h, low, at, x)
    let (s, t) = checked(h)
    return (s, t, sum(low))
}
fn planes(a: int, b: int, n: int) -> (f32, f32) {
    var h = zeros(f32, a, b)
    var left = zeros(f32, a, b)
    launch plane[ceildiv(n, 96), 96](h, left, [i * 31 % 4099 for i in 0:n])
    return (sum(h[i, j] * f32(i + 2 * j) for i in 0:a, j in 0:b), sum(left))
}

let n = 100003
let x = [i * 7919 % 10007 for i in 0:n]
var total = zeros(f64, 1)
launch one[ceildiv(n, 256), 256](total, x)
launch one[1, 33](total, x)
print(total)
var (sums, squares, sizes) = (zeros(f32, 4, 6), zeros(f64, 6), zeros(i32, 4))
launch table[(19, 32), (32, 8)](sums, squares, sizes, reshape(x[0:100000], 200, 500))
print(sums, squares, sizes)
for m in [1, 2, 100, 511, 512, 513, 5000] { print(m, tally(m, 20000)) }
print(tally(7, 1), tally(700, 300000))
print(planes(3, 5, 20000), planes(40, 50, 20000), planes(1, 1, 10))
var (seen, halves, bytes, least) = ([false for i in 0:500], zeros(f16, 500), zeros(u8, 500), zeros(i32, 500))
launch marks[4, 96](seen, halves, bytes, least, x)
print(sum(int(seen[i]) * i for i in 0:500), sum(f64(halves[i]) * i for i in 0:500), sum(int(bytes[i]) * i for i in 0:500), sum(least))

# An element that is at no place of its own row would be one of the next row's: fails(3, 5) is out of bounds
kernel beyond(h: inout f64[a, b], x: int[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { atomic h[i % 2, x[i]] += 1.0 }
}
fn fails(a: int, b: int) -> f64 {
    var h = zeros(f64, a, b)
    launch beyond[1, 64](h, [if i == 40 { 5 } else { 1 } for i in 0:64])
    return sum(h)
}
print(fails(3, 6))
