# Sparse Jacobians by groups of columns, and systems that are solved with them
fn bratu(u: f64[n]) -> f64[n] {
    let w = f64(n + 1)
    return [(if i > 0 { u[i - 1] } else { 0.0 }) - 2 * u[i] + (if i < n - 1 { u[i + 1] } else { 0.0 }) + exp(u[i]) / w^2 for i in 0:n]
}
let u = rand(1, 9)
let three = band(9, 9, 1, 1)
print(column_groups(three), max(abs(dense(sparse_jacobian(bratu, u, three)) - jacobian(bratu)(u))))
print(dense(band(3, 4, 0, 1)), dense(band(3, 2, 2, 0)), len(band(0, 3, 1, 1).value))
print(dense(sparse([[0.0, 2.0], [0.0, 0.0], [3.0, nan]])), sparse(zeros(f64, 2, 0)).start)
# More elements than parameters, and fewer; a row that depends on all makes as many groups as columns
fn pairs(x: f64[n]) -> f64[k] {
    let k = 2 * n - 2
    return [if i % 2 == 0 { x[i // 2] * x[i // 2 + 1] } else { sin(x[i // 2]) } for i in 0:k]
}
fn halves(x: f64[n]) -> f64[k] { let k = n // 2; return [x[2 * i] * x[2 * i + 1] for i in 0:k] }
fn all_of(x: f64[n]) -> f64[n] = [x[i]^2 + (if i == 0 { sum(x) } else { 0.0 }) for i in 0:n]
fn compare(f: fn(f64[n]) -> f64[m], x: f64[n]) -> (int, f64) {
    let full = jacobian(f)(x)
    let found = sparse(full)
    return (max(column_groups(found)) + 1, max(abs(dense(sparse_jacobian(f, x, found)) - full)))
}
print(compare(pairs, u), compare(halves, u), compare(all_of, u))
print(len(sparse_jacobian(fn(x) => x * 2, zeros(f64, 0), band(0, 0, 1, 1)).value))
# Newton's method in the plane
const side = 10
fn plane(m: int) -> Csr {
    let p = arange(m * m)
    let e = nonzero(p % m < m - 1)
    let s = nonzero(p // m < m - 1)
    let i = concat(p, concat(concat(e, e + 1), concat(s, s + m)))
    let j = concat(p, concat(concat(e + 1, e), concat(s + m, s)))
    return csr(m * m, m * m, i, j, ones(f64, len(i)))
}
fn pde(u: f64[n]) -> f64[n] {
    let h = 1.0 / (side + 1)
    let at = fn(i, j) => if i >= 0 and i < side and j >= 0 and j < side { u[i * side + j] } else { 0.0 }
    let around = fn(i, j) => at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1)
    return [(around(p // side, p % side) - 4 * u[p]) / h^2 + exp(u[p]) for p in 0:n]
}
let pattern = plane(side)
var v = zeros(f64, side^2)
for turn in 0:3 {
    let a = sparse_jacobian(pde, v, pattern)
    let f = ilu(a)
    v -= gmres(fn(w) => times(a, w), pde(v), fn(r) => ilu_solve(f, r), tol=1e-12)
}
print(max(column_groups(pattern)) + 1, norm(pde(v)) < 1e-10, f"{max(v):.6f}")
print(max(abs(dense(sparse_jacobian(pde, v, pattern)) - jacobian(pde)(v))))
