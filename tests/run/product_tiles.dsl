# Matrix products of any sizes: tiles of a GPU that end inside of the matrices, transposed operands, stacks, no elements
fn whole(n: int, m: int, q: int) -> f64[n, m] = [f64((i * 3 + j * q + i * j) % 7) - 3.0 for i in 0:n, j in 0:m]
fn whole32(n: int, m: int, q: int) -> f32[n, m] = [f32((i * 3 + j * q + i * j) % 7) - 3.0 for i in 0:n, j in 0:m]
fn mark(x: f64[n, m]) -> f64 = sum(x[i, j] * f64((i * 5 + j * 3) % 11) for i in 0:n, j in 0:m)

fn each(n: int, m: int, k: int) {
    print(n, m, k, mark(whole(n, k, 1) @ whole(k, m, 2)), mark(whole(k, n, 1).T @ whole(k, m, 2)),
          mark(whole(n, k, 1) @ whole(m, k, 2).T), mark(whole(k, n, 1).T @ whole(m, k, 2).T))
    print(mark(f64(whole32(n, k, 1) @ whole32(k, m, 2))), mark(f64(whole32(k, n, 1).T @ whole32(k, m, 2))),
          mark(f64(whole32(n, k, 1) @ whole32(m, k, 2).T)), mark(f64(whole32(k, n, 1).T @ whole32(m, k, 2).T)))
}
each(1, 1, 1)
each(33, 65, 47)
each(130, 70, 9)
each(64, 128, 8)
each(3, 200, 17)
each(0, 3, 4)
each(4, 3, 0)

# Sizes that are known: small tiles, usual ones
let a = whole(20, 30, 2)
let b = whole(30, 17, 3)
print(mark(a @ b), mark(a.T @ a), mark(a @ a.T))
let c = whole32(100, 90, 2)
print(mark(f64(c @ c.T)), mark(f64(c.T @ c)))

# Stacks
let s = [f64((i * 3 + j + q * 2 + p) % 7) - 3.0 for q in 0:3, p in 0:2, i in 0:20, j in 0:30]
let t = [f64((i * 3 + j + q + p * 3) % 5) - 3.0 for q in 0:3, p in 0:2, i in 0:30, j in 0:66]
let u = s @ t
for q in 0:3 { for p in 0:2 { print(mark(u[q, p]), sum(abs(u[q, p] - s[q, p] @ t[q, p]))) } }

# What stands outside of the matrices is no part of a sum: NaN and infinities stay in their rows and columns.
var x = whole(5, 6, 1)
x[2, 3] = 1.0 / 0.0
x[4, 0] = 0.0 / 0.0
let y = x @ ones(f64, 6, 3)
print(y[2, 1], isnan(y[4, 2]), y[0], y[1], y[3])

# What is written between
var z = whole(40, 40, 1)
for turn in 0:3 {
    z = [(z @ z)[i, j] % 5.0 for i in 0:40, j in 0:40]
    parallel for i in 0:40 { z[i, i] = f64(i % 3) }
}
print(mark(z))
