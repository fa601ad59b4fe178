fn total(x: f64[n, m]) -> int = size(x) + len(x)
kernel alone(y: inout f64[n, m]) {
    let i = thread.x
    if i < size(y) { y[i // m, i % m] = total(y) }
}
kernel k(y: inout f64[n, m], z: f64[n, m]) {
    shared s: f64[4, 8]
    let p = zeros(f64, 3, 2)
    let i = thread.x
    if i < size(y) and i < size(z, 0) * size(z, 1) { y[i // m, i % m] += total(y) + size(s) + size(p) + mean(z) }
}
fn go(n: int, m: int) -> f64 {
    var y = zeros(f64, n, m)
    for t in 0:3 { launch k[1, 64](y, ones(f64, n, m)) }
    parallel for i in 0:n {
        for j in 0:m { y[i, j] += size(y) + total(y) }
    }
    let w = [size(y) + total(y) + i for i in 0:n]
    return sum(y) + sum(w) + sum(size(y) for i in 0:3)
}
for q in 1:4 { print(go(q, q + 2)) }
