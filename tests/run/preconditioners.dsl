# Preconditioners take turns off; incomplete factors are the true ones where nothing is left out
fn grid(side: int) -> Csr {
    let n = side * side
    let at = arange(n)
    let right = nonzero([k % side < side - 1 for k in 0:n])
    let up = arange(n - side)
    let i = concat(at, concat(concat(right, right + 1), concat(up, up + side)))
    let j = concat(at, concat(concat(right + 1, right), concat(up + side, up)))
    let v = concat([4.0 + 40.0 * (k % 7) for k in at], full(-1.0, 2 * (len(right) + len(up))))
    return csr(n, n, i, j, v)
}
fn turns_of(a: Csr, b: f64[n], way: int) -> int {
    let f = ilu(a)
    for turns in 1:200 {
        var r = b
        var p = r
        var rz = 0.0
        for t in 0:turns {
            let z = if way == 0 { r } else if way == 1 { r / diagonal(a) } else { ilu_solve(f, r) }
            let next = r @ z
            p = if t == 0 { z } else { z + next / rz * p }
            rz = next
            let q = times(a, p)
            r -= rz / (p @ q) * q
        }
        if norm(r) <= 1e-10 * norm(b) { return turns }
    }
    return 0
}
let a = grid(12)
let b = rand(1, 144)
let plain = solve(dense(a), b)
let f = ilu(a)
print(allclose(cg(fn(x) => times(a, x), b, fn(r) => ilu_solve(f, r)), plain))
print([turns_of(a, b, way) for way in 0:3])
# a tridiagonal matrix has no more elements than its factors; not symmetric
let m = 60
let i = arange(m)
let low = arange(m - 1)
let t = csr(m, m, concat(i, concat(low + 1, low)), concat(i, concat(low, low + 1)), concat(full(3.0, m), concat(full(-1.5, m - 1), full(-1.0, m - 1))))
let c = rand(2, m)
print(allclose(times(t, ilu_solve(ilu(t), c)), c))
print(allclose(gmres(fn(x) => times(t, x), c, fn(r) => ilu_solve(ilu(t), r), basis=5), solve(dense(t), c)))
print(diagonal(csr(2, 3, [0, 1, 1], [2, 1, 2], [1.0, 2.0, 3.0])))
fn energy(s: f64, a: Csr, b: f64[n]) -> f64 { let y = cg(fn(x) => s * times(a, x), b, fn(r) => r / diagonal(a)); return y @ b }
print(isclose(energy(1.0, a, b), plain @ b))
print(isclose(grad(fn(s) => energy(s, a, b))(2.0), -0.25 * (plain @ b)))
