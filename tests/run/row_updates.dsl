# Rows of arrays that a loop carries, changed in place: those that data name, those that the turn names, parts of them
fn noise(i: int) -> f64 = f64((i * 7919 + 13) % 1009) / 1009.0 - 0.4
fn sums(points: f64[n, d], label: int[n], k: int) -> f64[k, d] {
    var total = zeros(f64, k, d)
    var count = zeros(f64, k)
    for i in 0:n {
        total[label[i]] += points[i]
        count[label[i]] += 1
    }
    return [total[c, a] / max(count[c], 1.0) for c in 0:k, a in 0:d]
}
fn decayed(points: f32[n, d], label: i32[n], k: int) -> f32[k, d] {
    var total = ones(f32, k, d)
    for i in 0:n { if label[i] % 3 != 1 { total[label[i]] = total[label[i]] / 2 + points[i] * points[n - 1 - i] } }
    return total
}
fn counts(rows: int[n, d], label: int[n]) -> (int[9, d], int) {
    var c = zeros(int, 9, d)
    var seen = 0
    var i = 0
    while i < n and seen < 40 {
        c[label[i]] += rows[i] % 5
        seen += c[label[i], 0] % 2
        i += 1
    }
    return (c, i)
}
fn running(b: f64[n, d]) -> f64[n, d] {
    var x = b
    for i in 1:n { x[i] = x[i - 1] * 0.5 + b[i] }
    return x
}
fn both(b: f64[n, d], label: int[n]) -> (f64[9, d], f64[n, d]) {
    var x = zeros(f64, 9, d)
    var before = zeros(f64, n, d)
    for i in 0:n {
        before[i] = x[label[i]]
        x[label[i]] += b[i]
        before[i, 0] += x[label[i], d - 1]
    }
    return (x, before)
}
fn planes(b: f64[n, d], label: int[n]) -> f64[9, 2, d] {
    var x = zeros(f64, 9, 2, d)
    for i in 0:n {
        x[label[i], i % 2] += b[i]
        x[label[i], 1, 1:d - 1] *= 0.75
        x[label[i], 0, 0:d:2] += 0.25
    }
    return x
}
fn swapped(b: f64[n, d], label: int[n]) -> f64[9, d] {
    var x = [noise(i + j) for i in 0:9, j in 0:d]
    for i in 0:n { x[label[i]] = [x[label[i], d - 1 - j] + b[i, j] for j in 0:d] }
    return x
}
fn outer(b: f64[n, d], label: int[n]) -> f64[9, d, d] {
    var x = zeros(f64, 9, d, d)
    for i in 0:n { x[label[i]] += [b[i, p] * b[i, q] + sum(b[i, r] for r in 0:3) for p in 0:d, q in 0:d] }
    return x
}

arg n: int = 60
for d in [4, 9, 130] {
    let b = [noise(i * d + j) for i in 0:n, j in 0:d]
    let label = [(i * 7 + i // 5) % 9 for i in 0:n]
    let s = sums(b, label, 11)
    print(sum(s), s[8, d - 1], s[10, 0], sum(decayed(f32(b), i32(label), 9)))
    let c = counts([i * j for i in 0:n, j in 0:d], label)
    print(sum(c.0), c.1, sum(running(b)), running(b)[n - 1, 1])
    let x = both(b, label)
    print(sum(x.0), sum(x.1), sum(planes(b, label)), sum(swapped(b, label)), swapped(b, label)[3, 1])
    print(sum(outer(b, label)), outer(b, label)[2, 1, 3])
}
const k = 5
var fixed = zeros(f64, k, 3)
for i in 0:n { fixed[i * i % k] += [1.0, f64(i), 0.5] }
print(fixed)
for i in 0:n { fixed[i // 12] += [1.0, f64(i), 0.5] }
print(fixed)
