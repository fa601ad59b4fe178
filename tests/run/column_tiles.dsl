# Transposed copies in tiles: sizes that fill none, some, and some with a rest; types; axes; what is read both ways
fn turned(a: f64[n, m]) -> f64[m, n] = a.T
fn both_ways(a: f64[n, n]) -> f64[n, n] = (a + a.T) / 2
fn scaled(a: f32[n, m], by: f32[m]) -> f32[m, n] = [a[i, j] * by[j] for j in 0:m, i in 0:n]
fn bytes(a: u8[n, m]) -> u8[m, n] = [a[i, j] for j in 0:m, i in 0:n]
fn axes(a: i32[n, k, m]) -> i32[m, k, n] = [a[i, l, j] for j in 0:m, l in 0:k, i in 0:n]
fn batch(a: f64[k, n, m]) -> f64[k, m, n] = [a[l, i, j] for l in 0:k, j in 0:m, i in 0:n]
fn shifted(a: f64[n, m]) -> f64[m, n] = [if i > 0 { a[i - 1, j] } else { a[n - 1, j] } for j in 0:m, i in 0:n]

kernel turn_onto(t: inout f64[m, n], a: f64[n, m]) {
    let i = block.x * blockdim.x + thread.x
    let j = block.y * blockdim.y + thread.y
    if i < n and j < m { t[j, i] += a[i, j] }
}

for case in 0:7 {
    let n = [1, 7, 256, 257, 300, 1000, 513][case]
    let m = [300, 1, 64, 65, 129, 128, 400][case]
    let a = [f64((i * 31 + j * 17) % 101) for i in 0:n, j in 0:m]
    let t = turned(a)
    var sum_onto = t
    launch turn_onto[(ceildiv(n, 16), ceildiv(m, 16)), (16, 16)](sum_onto, a)
    let weights = [f64(3 * i + 7 * j) for i in 0:m, j in 0:n]
    print(n, m, sum(t * weights), max(abs(turned(t) - a)), max(abs(sum_onto - 2 * t)), t[m - 1, n - 1])
    let s = shifted(a)
    print(sum(s * weights), s[m - 1, 0], s[0, n - 1])
    let square = [f64((i * 31 + j * 17) % 101) for i in 0:n, j in 0:n]
    let b = both_ways(square)
    print(sum(b * [f64(i + 3 * j) for i in 0:n, j in 0:n]), max(abs(b - b.T)))
    let x = scaled([f32(i + j) for i in 0:n, j in 0:m], [f32(j % 5) for j in 0:m])
    let y = bytes([u8((i * 3 + j * 5) % 256) for i in 0:n, j in 0:m])
    print(sum([f64(x[j, i]) * (i + 2 * j) for j in 0:m, i in 0:n]), sum([int(y[j, i]) * (i + 2 * j) for j in 0:m, i in 0:n]))
    let z = axes([i32(i * 100 + l * 10 + j) for i in 0:n, l in 0:3, j in 0:m])
    let w = batch([f64(i * 100 + l * 10 + j) for l in 0:2, i in 0:n, j in 0:m])
    print(sum([int(z[j, l, i]) * (i + 2 * j + l) for j in 0:m, l in 0:3, i in 0:n]), sum([w[l, j, i] * f64(i + 2 * j + l) for l in 0:2, j in 0:m, i in 0:n]))
}
