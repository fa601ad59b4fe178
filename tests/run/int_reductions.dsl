# Reductions of ints along rows, columns, windows, several axes, of few and of many elements, of all kinds and widths
fn product(a: int[n, m], b: int[m, k]) -> int[n, k] = [sum(a[i, l] * b[l, j] for l in 0:m) for i in 0:n, j in 0:k]
fn narrow(a: u8[n, m], b: i16[m, k]) -> int[n, k] = [sum(int(a[i, l]) * int(b[l, j]) for l in 0:m) for i in 0:n, j in 0:k]
fn windows(a: i32[n], m: int) -> int[n - m] = [sum(int(a[i + k]) for k in 0:m) for i in 0:n - m]
fn wrapped(a: i32[n]) -> i32 {
    var s = i32(0)
    for x in a { s += x * 65537 }
    return s
}
kernel counts(y: out int[n], a: i32[n, m]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = sum(int(a[i, j] > 3) for j in 0:m) }
}
for n in [1, 2, 15, 16, 17, 33, 70, 130] {
    let a = [i32((i * 37 + j * 11) % 101 - 50) for i in 0:n, j in 0:n + 3]
    let b = [int(a[i, j]) * (i - j) for i in 0:n, j in 0:n + 3]
    let c = product(b, b.T)
    print(n, c[n - 1, n - 1], c[0, n - 1], sum(c), max(c), min(c))
    let d = narrow(u8(a + i32(60)), i16(a.T))
    print(n, d[n - 1, 0], sum(d), prod([x % 7 + 1 for x in d[0]]))
    print(n, sum(sum(a, axis=0)), sum(b, axis=0)[n + 2], max(a), min(b), sum(b))
    print(n, sum([max(b[:, j]) for j in 0:n + 3]), sum([min(b[i]) for i in 0:n]), sum(max(a, axis=1)))
    let long = [i32(i * 7919 % 10007) for i in 0:40 * n]
    let w = windows(long, n)
    print(n, w[0], w[39 * n - 1], sum(w), max(w), sum(int(long > 500)), wrapped(long))
    print(n, sum(a[i, j] * j for i in 0:n, j in 0:n + 3), max(long[k] % 13 for k in 0:n), min(long[k] for k in 0:0 + n))
    var y = zeros(int, n)
    launch counts[ceildiv(n, 32), 32](y, a)
    print(n, sum(y), y[n - 1])
}
let empty = zeros(int, 0)
print(sum(empty), prod(empty), sum(zeros(int, 0, 5), axis=0), sum(zeros(int, 3, 0), axis=1))
let large = [9223372036854775807 - i for i in 0:3000]
print(sum(large), max(large), min(large), sum([u8(i) for i in 0:3000]))
