# Stores under conditions, of elements that an iteration owns, and elements that are the same for a whole row
kernel relax(d: inout f64[n, n], k: int) {
    let j = block.x * blockdim.x + thread.x
    let i = block.y * blockdim.y + thread.y
    if i < n and j < n and i != k and j != k {
        let through = d[i, k] + d[k, j]
        if through < d[i, j] { d[i, j] = through }
    }
}

fn shortest(graph: f64[n, n]) -> f64[n, n] {
    var d = graph
    for k in 0:n { launch relax[(ceildiv(n, 32), ceildiv(n, 8)), (32, 8)](d, k) }
    return d
}

kernel highest(x: inout f64[n], y: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { if y[i] > x[i] { x[i] = y[i] } }
}

kernel nudge(x: inout i32[n], y: i32[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        if y[i] % 3 == 0 { x[i] = x[i] * 2 + y[i] }
        if x[i] > 100 { x[i] = 100 }
    }
}

kernel eliminate(a: inout f64[n, m], k: int) {
    let j = block.x * blockdim.x + thread.x
    let i = block.y * blockdim.y + thread.y
    if i > k and i < n and j > k and j < m { a[i, j] -= a[i, k] / a[k, k] * a[k, j] }
}

fn lower(a: f64[n, m], to: f64[m]) -> f64[n, m] {
    var b = a
    parallel for i in 0:n { for j in 0:m { if to[j] < b[i, j] { b[i, j] = to[j] } } }
    return b
}

fn first_added(a: f64[n, m]) -> f64[n, m] {
    var b = a
    parallel for i in 0:n { for j in 1:m { b[i, j] += b[i, 0] } }
    return b
}

fn columns_least(a: f64[n, m]) -> f64[m] {
    var least = full(1e9, m)
    for i in 0:n { for j in 0:m { if a[i, j] < least[j] { least[j] = a[i, j] } } }
    return least
}

for n in [1, 5, 70] {
    let graph = [if i == j { 0.0 } else { f64(1 + (i * 7919 + j * 104729) % 1009) } for i in 0:n, j in 0:n]
    let d = shortest(graph)
    print(n, sum(d), d[0, n - 1])
}
for n in [1, 31, 1000] {
    var x = [f64(i * 37 % 101) for i in 0:n]
    var y = [if i % 10 == 3 { sqrt(-1.0) } else { f64(i * 53 % 97) } for i in 0:n]
    launch highest[ceildiv(n, 64), 64](x, y)
    print(sum(x), x[n - 1])
    launch highest[ceildiv(n, 64), 64](y, x)
    print(sum([if v == v { v } else { -1.0 } for v in y]))
    var k = [i32(i * 37 % 101) for i in 0:n]
    let l = [i32(i * 53 % 97) for i in 0:n]
    for t in 0:3 { launch nudge[ceildiv(n, 64), 64](k, l) }
    print(sum([int(v) for v in k]), k[n - 1])
    let a = [f64((i * 31 + j * 17) % 23) for i in 0:n, j in 0:40]
    print(sum(lower(a, [f64(j % 7) for j in 0:40])), sum(first_added(a)), sum(columns_least(a)))
}
var a = [if i == j { 50.0 } else { f64((i * 31 + j * 17) % 23) / 7 } for i in 0:40, j in 0:45]
for k in 0:39 { launch eliminate[(ceildiv(45, 16), ceildiv(40, 16)), (16, 16)](a, k) }
print(f"{sum(a):.6f} {a[39, 44]:.9f}")
let none = zeros(f64, 5, 0)
print(sum(first_added(zeros(f64, 5, 1))), sum(lower(none, zeros(f64, 0))))
