# Each access leaves its array for some sizes and for others not: what is called here is right, and nobody may say otherwise.
fn below(x: f64[n, m]) -> f64[n, m] {
    var z = zeros(f64, n, m)
    parallel for i in 0:n, j in 0:m {
        if i == j { z[j + 1, j] = x[i, j] }
    }
    return z
}
fn right(x: f64[n, m]) -> f64[n, m] {
    var z = x
    parallel for j in 0:n { z[j, j + 1] = 1.0 }
    return z
}
fn spread(x: f64[n], y0: f64[m]) -> f64[m] {
    var y = y0
    parallel for i in 0:n { y[2 * i] = x[i] }
    return y
}
fn behind(x: f64[n], y: f64[m], z0: f64[k]) -> f64[k] {
    var z = z0
    parallel for i in 0:n { z[i + m] = x[i] }
    return z
}
fn products(x: f64[n], y0: f64[m]) -> f64[m] {
    var y = y0
    parallel for i in 0:n { y[i * n] = x[i] }
    return y
}
kernel copy(y: out f64[m], x: f64[n]) {
    let i = block.x * blockdim.x + thread.x
    y[i] = x[i]
}
fn copied(x: f64[n], y0: f64[m], blocks: int, threads: int) -> f64[m] {
    var y = y0
    launch copy[blocks, threads](y, x)
    return y
}
fn some(n: int) -> f64[k] = zeros(f64, n + int(0.5 * uniform(1, 1)))
let (a, b, c) = (ones(f64, len(some(2))), some(3), some(5))
print(below(ones(f64, len(b), len(a))))
print(right(zeros(f64, len(a), len(b))))
print(spread(a, b), behind(a, b, c), products(a, b))
print(copied(ones(f64, len(some(6))), some(6), len(a), len(b)))
# For blocks of one thread
kernel alone(y: inout f64[n]) {
    shared s: f64[1, 1]
    s[thread.y, thread.x] = 2.0
    if thread.x + thread.y == 0 { y[block.x] *= s[thread.y, thread.x] }
}
fn doubled(x: f64[n], threads: int) -> f64[n] {
    var y = x
    launch alone[n, (threads, threads)](y)
    return y
}
print(doubled([1.0, 2.0, 3.0], len(some(1))))
