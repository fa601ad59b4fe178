# Sums of floats whose work stands behind the first index of their elements: the same bits with any number of threads
fn mix(i: int) -> int = (i * 7919 + i // 7 * 104729) % 1000003

fn wave(x: f64, k: int) -> f64 = sin(x * k) * exp(-x) + sqrt(x + k)

# rows, an inner loop of varying length, an `if` around, memory of its own behind the index
fn rows(x: f64[n], at: int[n, q], m: int) -> (f64[m, 6], f64[m, 5]) {
    var a = zeros(f64, m, 6)
    var b = zeros(f64, m, 5)
    parallel for i in 0:n {
        let scale = x[i] + 1
        for s in 0:q {
            let k = at[i, s]
            var part = zeros(f64, 5)
            for j in 0:k % 5 {
                part[j] = wave(x[i], j) * scale
                atomic a[k, j] += part[j]
                if part[j] > 1 { atomic b[k, j] += part[j] ^ 2 }
            }
            atomic a[k, 5] += part[0] + part[4]
        }
    }
    return (a, b)
}
# one axis: neighbours belong to one thread; two axes of iterations, f32
fn line(x: f64[n], m: int) -> f32[m] {
    var y = zeros(f32, m)
    parallel for i in 0:n, j in 0:4 {
        let k = mix(4 * i + j) % m
        var t = 0.0
        for s in 0:20 { t += wave(x[i], s) }
        atomic y[k] += f32(t)
    }
    return y
}
# two loops, each with an index of its own
fn both(x: f64[n], at: int[n, q], m: int) -> (f64[m, 2], f64[m, 2]) {
    var a = zeros(f64, m, 2)
    var b = zeros(f64, m, 2)
    parallel for i in 0:n {
        for s in 0:q {
            let k = at[i, s]
            for j in 0:2 { atomic a[k, j] += wave(x[i], s + j) + wave(x[i], 7) }
        }
        for s in 0:q {
            let k = at[n - 1 - i, s]
            for j in 0:2 { atomic b[k, j] += wave(x[i], s * j) - wave(x[i], 3) }
        }
    }
    return (a, b)
}
# what is done before the index is written down, too: not so
fn besides(x: f64[n], at: int[n], m: int) -> (f64[m, 3], f64[n]) {
    var a = zeros(f64, m, 3)
    var was = zeros(f64, n)
    parallel for i in 0:n {
        was[i] = wave(x[i], 2)
        let k = at[i]
        for j in 0:3 { atomic a[k, j] += wave(x[i], j) }
    }
    return (a, was)
}
# the index is the row of one sum, and a column of the other: not so
fn crossed(x: f64[n], at: int[n], m: int) -> (f64[m, 3], f64[2, m]) {
    var a = zeros(f64, m, 3)
    var b = zeros(f64, 2, m)
    parallel for i in 0:n {
        let k = at[i]
        for j in 0:3 { atomic a[k, j] += wave(x[i], j) }
        for j in 0:2 { atomic b[j, k] += wave(x[i], j) }
    }
    return (a, b)
}
# gradients of look-ups: what the derivative by `found` is cleared with goes, and the rest is shared out
kernel look_up(found: out f64[n, 3], x: f64[n], at: int[n, q], table: f64[m, 3, 2]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        var total = zeros(f64, 3)
        for s in 0:q {
            let k = at[i, s]
            for c in 0:3 { total[c] += table[k, c, 0] * wave(x[i], s) + exp(table[k, c, 1] * x[i]) }
        }
        for c in 0:3 { found[i, c] = total[c] }
    }
}
fn size(x: f64[n], at: int[n, q], table: f64[m, 3, 2]) -> f64 {
    var found = zeros(f64, n, 3)
    launch look_up[ceildiv(n, 128), 128](found, x, at, table)
    return sum(found^2) / n
}
let n = 5000
let m = 1000
let x = [f64(mix(i)) / 1000003.0 for i in 0:n]
let at = [mix(i * 8 + s) % m for i in 0:n, s in 0:8]
let (a, b) = rows(x, at, m)
print(sum(a), sum(b), a[18, 2], b[m - 1, 2], sum(a[k, j] * (k % 7 + j) for k in 0:m, j in 0:6))
let y = line(x, 3000)
print(sum(y), y[0], sum(y[k] * f32(k % 13) for k in 0:3000))
let (c, d) = both(x, at, m)
print(sum(c), sum(d), sum((c[k, j] + 2 * d[k, j]) * (k % 5 - j) for k in 0:m, j in 0:2))
let (e, was) = besides(x, [at[i, 0] for i in 0:n], m)
print(sum(e), sum(was), e[7, 1])
let (f, g) = crossed(x, [at[i, 0] for i in 0:n], m)
print(sum(f), sum(g), f[7, 1], g[1, 7])
let table = [f64(mix(k * 6 + c * 2 + o)) / 1e6 for k in 0:m, c in 0:3, o in 0:2]
let slope = grad(size, wrt=table)(x, at, table)
print(sum(slope), slope[17, 1, 0], sum(slope[k, c, o] * (k % 11 + c - o) for k in 0:m, c in 0:3, o in 0:2))
