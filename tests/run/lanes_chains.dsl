# Iterations around chains of ints or floats run side by side: lanes of two vectors, and what is left over
fn one(seed: u64) -> u64 {
    var s = seed
    for t in 0:100 {
        s = s xor s << 13
        s = s xor s >> 7
    }
    return s
}
fn mixed(seed: u64[n]) -> u64[n] = [one(seed[i]) for i in 0:n]
fn of_key(start: u32, key: u8[m]) -> u32 {
    var h = start
    for c in key { h = (h xor u32(c)) * 16777619 }
    return h
}
fn hash(start: u32[n], key: u8[m]) -> u32[n] = [of_key(start[i], key) for i in 0:n]
fn settled(x0: f64) -> f64 {
    var x = x0
    for t in 0:100 { x = 3.7 * x * (1 - x) }
    return x
}
fn logistic(x: f64[n]) -> f64[n] = [settled(x[i]) for i in 0:n]
kernel congruent(y: inout u64[n], m: int) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        var s = y[i]
        for t in 0:m { s = s * 6364136223846793005 + 1442695040888963407 }
        y[i] = s
    }
}
fn launched(x: u64[n], m: int) -> u64[n] {
    var y = x
    launch congruent[ceildiv(n, 64), 64](y, m)
    return y
}
fn added(x: int, key: int[m]) -> int {
    var s = x
    for c in key { s += c * x }
    return s
}
fn sums(x: int[n], key: int[m]) -> int[n] = [added(x[i], key) for i in 0:n]
fn shifted(seed: u32, m: int) -> u32 {
    var x = seed
    var y = u32(2)
    var z = u32(3)
    var w = u32(4)
    for t in 0:m {
        let u = x xor x << 11
        x = y
        y = z
        z = w
        w = w xor w >> 19 xor u xor u >> 8
    }
    return w
}
fn wide(seed: u32[n], m: int) -> u32[n] = [shifted(seed[i], m) for i in 0:n]

fn digits(x: int) -> int {
    var r = 0
    for b in 0:20 { r = r << 1 | x >> b & 1 }
    return r
}
for n in [1, 15, 16, 40, 67] {
    let r = mixed([u64(i + 1) for i in 0:n])
    print(n, r[0], r[n - 1], sum([int(x & 65535) for x in r]))
    let h = hash([u32(i) for i in 0:n], [u8(i * 7) for i in 0:9])
    print(n, h[0], h[n - 1], sum([int(x & 65535) for x in h]))
    let x = logistic([f64(i + 1) / 70 for i in 0:n])
    print(n, x[0], x[n - 1], sum(x))
    let y = launched([u64(i) for i in 0:n], n)
    print(n, y[0], y[n - 1])
    print(n, sums([i - 5 for i in 0:n], [3, 4, 5])[n - 1], wide([u32(i) for i in 0:n], 30)[n - 1])
    print(n, sum([digits(i) for i in 0:n]), [digits(i) for i in 0:n][n - 1])
    let empty = hash([u32(i) for i in 0:n], zeros(u8, 0))
    print(n, empty[n - 1])
}
