# Sums over rows, in index notation: the order of each sum is that of the fixed tree, however the results are computed
fn product(a: f64[n, k], b: f64[k, m]) -> f64[n, m] = [sum(a[i, l] * b[l, j] for l) for i, j]
fn columns(a: T[n, m]) -> T[m] = [sum(a[i, j] for i) for j]

fn some(n: int, m: int) -> f64[n, m] = [f64((i * 7 + j * 3) % 11) - 4.75 + 0.001 * i for i in 0:n, j in 0:m]

let a = some(9, 21)
let b = some(21, 37)
let c = product(a, b)
print(c[8], sum(c))
print(product(some(4, 3), some(3, 16))[3], product(some(5, 0), some(0, 17))[2])
print(all([2 * sum(a[i, l] * b[l, j] for l) - c[i, j] for i, j] == c))

# more rows than a chunk
let tall = some(4100, 20)
print(columns(tall))
print(columns([f32(tall[i, j]) for i in 0:4100, j in 0:20]))
print([min(tall[i, j] * 0.5 for i) for j], [max(abs(tall[i, j]) for i) for j])
print([prod(1 + 1e-5 * tall[i, j] for i) for j])
print([sum((tall[i, j] - 1)^2 for i) / 4100 for j])

# the sum of each column, one after the other, in a sum of the same order
var apart = true
for j in 0:20 {
    apart = apart and sum(tall[i, j] for i in 0:4100) == columns(tall)[j]
}
print(apart)

# symmetric, and a sum in a loop
let cov = [sum(tall[l, i] * tall[l, j] for l) for i, j]
print(all(cov == cov.T), cov[3])
