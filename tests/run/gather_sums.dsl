# Sums of floats into neighbours: each element gathers what its neighbours give it, in the order of the iterations.
fn wave(n: int) -> f64[n] = [sin(f64(i * i % 1009)) / 3 for i in 0:n]

kernel three(y: inout f64[n], x: f64[n], a: f64) {
    let i = block.x * blockdim.x + thread.x
    if i > 0 and i < n - 1 {
        atomic y[i - 1] += a * x[i]
        atomic y[i] += x[i] / 3
        atomic y[i + 1] += a * x[i] * x[i]
    }
}

# what is dear comes first; far and near, twice into one element
fn far(x: f64[n]) -> f64[n + 9] {
    var y = zeros(f64, n + 9)
    parallel for i in 0:n {
        let v = exp(x[i]) * sin(x[i])
        atomic y[i + 7] += v
        atomic y[i] += v * x[i]
        atomic y[i + 7] += v / 3
        atomic y[i + 2] += 0.1
    }
    return y
}

# adjoint of a stencil that is not linear, in f32, with a store beside it and branches
fn adjoint(x: f32[n, m], g: f32[n, m]) -> (f32[n, m], f32[n, m]) {
    var d = zeros(f32, n, m)
    var s = zeros(f32, n, m)
    parallel for i in 1:n - 1, j in 1:m - 1 {
        let v = 2 * g[i, j] * (x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1])
        atomic d[i - 1, j] += v
        atomic d[i + 1, j] += v
        atomic d[i, j - 1] += v
        atomic d[i, j + 1] += v
        if v > 0 {
            atomic d[i, j] += v / 3
        } else {
            if g[i, j] < 0 { atomic d[i + 1, j + 1] += v / 7 }
            atomic d[i, j] += -1
        }
        s[i, j] = v
    }
    return (d, s)
}

# weights in a loop; axes the other way round; an axis that stays
fn smooth(x: f64[n, m], w: f64[5], c: int) -> (f64[m + 4, n], f64[n + 2, 3]) {
    var y = zeros(f64, m + 4, n)
    var z = zeros(f64, n + 2, 3)
    parallel for i in 0:n, j in 0:m {
        for k in 0:5 { atomic y[j + k, i] += w[k] * x[i, j] }
    }
    parallel for i in 0:n {
        atomic z[i + 1, c] += x[i, 0]
        for k in 2:-1:-2 { atomic z[i + k, c] += x[i, 1] / (k + 1) }
    }
    return (y, z)
}

# by a distance that is known only when it runs, up and down
fn shifted(x: f64[n], by: int) -> f64[n] {
    var y = zeros(f64, n)
    parallel for i in 0:n {
        if i >= by {
            atomic y[i - by] += x[i]
            if i > by { atomic y[i - by - 1] += 2 * x[i] }
        }
    }
    return y
}

fn boxes(x: f64[n, m, k]) -> f64[n, m, k] {
    var y = x
    parallel for a in 1:n - 1, b in 1:m - 1, c in 1:k - 1 {
        atomic y[a, b, c] += -6 * x[a, b, c]
        atomic y[a - 1, b, c] += x[a, b, c]
        atomic y[a + 1, b, c] += x[a, b, c]
        atomic y[a, b - 1, c] += x[a, b, c]
        atomic y[a, b + 1, c] += x[a, b, c]
        atomic y[a, b, c - 1] += x[a, b, c]
        atomic y[a, b, c + 1] += x[a, b, c]
    }
    return y
}

# rows by distance, columns by chance; what is computed from what the loop writes; half floats: as they were
fn others(x: f64[n], m: int) -> (f64[n + 1, m], f64[n], f64[n + 1], f16[n + 1]) {
    var y = zeros(f64, n + 1, m)
    var z = x
    var w = zeros(f64, n + 1)
    var h = zeros(f16, n + 1)
    parallel for i in 0:n {
        let k = int(abs(x[i]) * 100) % m
        atomic y[i + 1, k] += x[i]
        atomic y[i, m - 1 - k] += 1
        z[i] = z[i] / 7
        atomic w[i + 1] += z[i]
        atomic w[i] += -z[i]
        atomic h[i] += f16(0.1)
        atomic h[i + 1] += f16(x[i])
    }
    return (y, z, w, h)
}

fn digest(y: f64[n]) -> f64 = sum(y[i] * (i % 17 + 1) for i in 0:n)

for n in [0, 1, 2, 3, 4, 5, 1000] {
    var y = ones(f64, n)
    launch three[ceildiv(n + 1, 64), 64](y, wave(n), 0.3)
    print(n, digest(y), digest(far(wave(n))), digest(shifted(wave(n), 2)), digest(shifted(wave(n), 3)))
}
var y = ones(f64, 70001)
launch three[ceildiv(70001, 64), 64](y, wave(70001), 0.3)
print(digest(y), y[0], y[1], y[69999], y[70000])
print(far(wave(3)))
for n in [2, 3, 4, 150] {
    let x = [[f32(v) for v in row] for row in reshape(wave(n * 120), n, 120)]
    let (d, s) = adjoint(x, [[f32(j % 3) - x[i, j] for j in 0:120] for i in 0:n])
    print(n, sum(f64(v) for row in d, v in row), sum(f64(d[i, j]) * ((i + 5 * j) % 19) for i in 0:n, j in 0:120), sum(f64(v) for row in s, v in row))
}
let (p, q) = smooth(reshape(wave(120 * 90), 120, 90), [0.1, 0.2, 0.4, 0.2, 0.1], 1)
print(digest(reshape(p, 94 * 120)), digest(reshape(q, 122 * 3)))
print(digest(reshape(boxes(reshape(wave(20 * 30 * 25), 20, 30, 25)), 20 * 30 * 25)), digest(reshape(boxes(ones(f64, 3, 3, 3)), 27)))
let (a, b, c, h) = others(wave(3000), 7)
print(digest(reshape(a, 3001 * 7)), digest(b), digest(c), sum(f64(v) for v in h))
