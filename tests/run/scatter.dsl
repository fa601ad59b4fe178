# Sums of floats into elements known only at run time: the same bits with any number of threads
fn mix(i: int) -> int = (i * 7919 + i // 7 * 104729) % 1000003

fn spread(n: int, k: f64) -> f64[n] = [k * (f64(mix(i)) / 1000003.0 + 0.1) for i in 0:n]

# a gather's adjoint: many elements, cheap
kernel scatter(y: inout f64[m], at: int[n], w: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { atomic y[at[i]] += w[i] }
}

# few elements and much work, guarded
fn heavy(y0: f32[m], x: f64[n]) -> f32[m] {
    var y = y0
    parallel for i in 0:n {
        if x[i] > 0.3 {
            atomic y[int(x[i] * 9) % m] += f32(exp(x[i]) * sin(x[i]))
        }
    }
    return y
}

# several for each iteration, two arrays, one of them with two axes
fn deposit(x: f64[n], y: f64[n], g: int) -> (f64[g, g], f64[g]) {
    var rho = zeros(f64, g, g)
    var mass = zeros(f64, g)
    parallel for p in 0:n {
        let i = int(x[p] * (g - 1))
        let j = int(y[p] * (g - 1))
        let a = x[p] * (g - 1) - i
        let b = y[p] * (g - 1) - j
        atomic rho[i, j] += (1 - a) * (1 - b)
        atomic rho[i + 1, j] += a * (1 - b)
        atomic rho[i, j + 1] += (1 - a) * b
        atomic rho[i + 1, j + 1] += a * b
        atomic mass[j] += sqrt(a)
    }
    return (rho, mass)
}

# rows of different lengths
fn transposed(row: int[k], col: int[nz], a: f64[nz], x: f64[n], m: int) -> f64[m] {
    var y = zeros(f64, m)
    parallel for i in 0:n {
        for e in row[i]:row[i + 1] {
            atomic y[col[e]] += a[e] * x[i]
        }
    }
    return y
}

# two axes
fn picture(v: f64[h, w], m: int) -> f64[m] {
    var y = zeros(f64, m)
    parallel for i in 0:h, j in 0:w {
        atomic y[mix(i * w + j) % m] += exp(v[i, j])
    }
    return y
}

let n = 200000
let m = 70000
let x = spread(n, 0.9)
var y = zeros(f64, m)
launch scatter[ceildiv(n, 128), 128](y, [mix(i) % m for i in 0:n], x)
print(sum(y), y[17], y[m - 1], sum(y[i] * (i % 13) for i in 0:m))
print(heavy(zeros(f32, 8), x))
let (rho, mass) = deposit(x, [1.0 - x[i] for i in 0:n], 300)
print(sum(rho), rho[17, 200], sum(rho[i, j] * ((i + 3 * j) % 11) for i in 0:300, j in 0:300), sum(mass), mass[5])
let row = [i * 10 + i % 3 for i in 0:n // 10 + 1]
let nz = row[n // 10]
let t = transposed(row, [mix(i) % m for i in 0:nz], spread(nz, 2.0), x[0:n // 10], m)
print(sum(t), sum(t[i] * (i % 7) for i in 0:m))
let p = picture([[f64(mix(i + j)) / 1e6 for j in 0:400] for i in 0:500], 40000)
print(sum(p), sum(p[i] * (i % 5) for i in 0:40000))

# blocks that meet at barriers, f32, elements of an array of their own before those of all
kernel by_block(y: inout f32[m], at: int[n], w: f32[n]) {
    shared part: f32[64]
    let t = thread.x
    let i = block.x * blockdim.x + t
    part[t] = 0
    barrier
    if i < n { atomic part[at[i] % 64] += w[i] }
    barrier
    for c in 0:8 { atomic y[(at[min(i, n - 1)] + c * 97) % m] += part[(t + c) % 64] }
}

# a loop of known length inside, downwards, and a branch with two sums against one with none
fn bands(n: int, m: int) -> f64[m] {
    var y = zeros(f64, m)
    parallel for i in 0:n {
        for k in 3:-2:-1 {
            if mix(i + k + 1) % 3 == 0 {
                atomic y[mix(i) % m] += 1.0 / (k + 2)
                atomic y[(mix(i) + k + 1) % m] += -sqrt(f64(i + k + 1))
            }
        }
    }
    return y
}

# one row is longer than any list may be: in order
fn skewed(row: int[k], m: int) -> f64[m] {
    var y = zeros(f64, m)
    parallel for i in 0:k - 1 {
        for e in row[i]:row[i + 1] { atomic y[mix(e) % m] += 1.0 / (i + 1) }
    }
    return y
}

# what ends when it likes; a sum of all; half floats: in order
fn walks(n: int, m: int) -> (f64[m], f64, f16[4]) {
    var y = zeros(f64, m)
    var all = [0.0]
    var half = zeros(f16, 4)
    parallel for i in 0:n {
        var k = mix(i)
        while k > 100000 {
            atomic y[k % m] += 1.0 / k
            k //= 2
        }
        atomic all[0] += sqrt(f64(i))
        atomic half[i % 4] += f16(0.001)
    }
    return (y, all[0], half)
}

# the least and greatest of each: any order
fn ranges(x: f64[n], m: int) -> (f64[m], f64[m], f64[m]) {
    var lo = [inf for i in 0:m]
    var hi = [-inf for i in 0:m]
    var s = zeros(f64, m)
    parallel for i in 0:n {
        let k = mix(i) % m
        atomic lo[k] min= x[i]
        atomic hi[k] max= x[i]
        atomic s[k] += x[i]
    }
    return (lo, hi, s)
}

fn total(n: int, m: int) -> f64 = sum(bands(n, m))

var z = zeros(f32, 40000)
launch by_block[ceildiv(20000, 64), 64](z, [mix(i) for i in 0:20000], [f32(x[i]) for i in 0:20000])
print(sum(z), sum(z[i] * f32(i % 5) for i in 0:40000))
let b = bands(60000, 50000)
print(sum(b), sum(b[i] * (i % 9) for i in 0:50000))
let s = skewed([0, 10, 20, 70000, 70000, 70100], 40000)
print(sum(s), sum(s[i] * (i % 9) for i in 0:40000))
let (w, all, half) = walks(40000, 50000)
print(sum(w), all, half)
let (lo, hi, mid) = ranges(x, 40000)
print(sum(min(v, 9.0) for v in lo), sum(max(v, -9.0) for v in hi), sum(mid))
var left = 0.0
var right = 0.0
spawn { left = total(30000, 40000) }
spawn { right = total(50000, 40000) }
sync
print(left, right)
