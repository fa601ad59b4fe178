# Decompositions of matrices.  The C functions are in runtime/lapack.c; they give all results as one vector.

extern fn dsl_m_svd(a: f64[m, n]) -> f64[found]
extern fn dsl_m_qr(a: f64[m, n]) -> f64[found]
extern fn dsl_m_eig(a: f64[n, n]) -> f64[found]
extern fn dsl_m_solve_banded(bands: f64[k, n], b: f64[n], lower: int) -> f64[n]

## Singular values: (u, s, vt) with u @ diag(s) @ vt == a; s falls, the columns of u and the rows of vt are orthonormal
fn svd(a: f64[m, n]) -> (f64[m, min(m, n)], f64[min(m, n)], f64[min(m, n), n]) {
    let k = min(m, n)
    let all = dsl_m_svd(a)
    return (reshape(all[0:m * k], m, k), all[m * k:m * k + k], reshape(all[m * k + k:m * k + k + k * n], k, n))
}
## (q, r) with q @ r == a; the columns of q are orthonormal, r is an upper triangle
fn qr(a: f64[m, n]) -> (f64[m, min(m, n)], f64[min(m, n), n]) {
    let k = min(m, n)
    let all = dsl_m_qr(a)
    return (reshape(all[0:m * k], m, k), reshape(all[m * k:m * k + k * n], k, n))
}
## Eigenvalues and eigenvectors, the columns, of a square matrix: complex numbers
fn eig(a: f64[n, n]) -> (c128[n], c128[n, n]) {
    let all = dsl_m_eig(a)
    let at = 2 * n
    return (c128(all[0:n], all[n:2 * n]), c128(reshape(all[at:at + n * n], n, n), reshape(all[at + n * n:at + 2 * n * n], n, n)))
}

# The inverses of the singular values that are not next to 0
fn _inverses(s: f64[k], rtol: f64) -> f64[k] {
    let least = if k > 0 { rtol * max(s) } else { 0.0 }
    return [if v > least { 1 / v } else { 0.0 } for v in s]
}
## The x for which a @ x is nearest to b, and of those the shortest; b is a vector, or a matrix of columns
fn lstsq(a: f64[m, n], b: f64[m], rtol: f64 = 1e-15) -> f64[n] {
    let (u, s, vt) = svd(a)
    return vt.T @ ((u.T @ b) * _inverses(s, rtol * max(m, n)))
}
fn lstsq(a: f64[m, n], b: f64[m, k], rtol: f64 = 1e-15) -> f64[n, k] {
    let (u, s, vt) = svd(a)
    return vt.T @ ((u.T @ b) * _inverses(s, rtol * max(m, n))[:, newaxis])
}
## The pseudoinverse (Moore and Penrose)
fn pinv(a: f64[m, n], rtol: f64 = 1e-15) -> f64[n, m] {
    let (u, s, vt) = svd(a)
    return vt.T @ (_inverses(s, rtol * max(m, n))[:, newaxis] * u.T)
}
## How many rows are independent: singular values above rtol times the greatest
fn rank(a: f64[m, n], rtol: f64 = 2.220446049250313e-16) -> int {
    let s = svd(a).1
    let least = if len(s) > 0 { rtol * max(m, n) * max(s) } else { 0.0 }
    return sum(int(v > least) for v in s)
}
## The condition number: the greatest singular value over the least
fn cond(a: f64[m, n]) -> f64 {
    let s = svd(a).1
    assert len(s) > 0, "cond of an empty matrix"
    return max(s) / min(s)
}

## The x with a @ x == b, where the rows of `bands` are the diagonals of a, the uppermost first, `lower` of them below the main one: bands[upper + i - j, j] is a[i, j]
fn solve_banded(bands: f64[k, n], b: f64[n], lower: int) -> f64[n] {
    assert lower >= 0 and lower < k, f"solve_banded: of {k} diagonals {lower} are said to be below the main one"
    return dsl_m_solve_banded(bands, b, lower)
}
## The same with three diagonals: below[i] is a[i + 1, i], above[i] is a[i, i + 1]
fn solve_tridiagonal(below: f64[k], diagonal: f64[n], above: f64[k], b: f64[n]) -> f64[n] {
    assert k == max(n - 1, 0), f"solve_tridiagonal: beside a diagonal of {n} the others have {n - 1} elements, these have {k}"
    var bands = zeros(f64, 3, n)
    if n > 0 {
        bands[0, 1:] = above
        bands[1] = diagonal
        bands[2, 0:n - 1] = below
    }
    return dsl_m_solve_banded(bands, b, 1)
}

## exp of a matrix: the sum of a^k / k! (Higham, "The scaling and squaring method for the matrix exponential revisited", SIAM 2005)
fn expm(a: f64[n, n]) -> f64[n, n] {
    let size = max(concat([0.0], sum(abs(a), axis=0)))
    assert isfinite(size), "expm of a matrix with NaN or infinity"
    let halvings = max(0, int(ceil(log2(max(size, 1e-300) / 5.371920351148152))))
    let x = a / 2.0^halvings
    let x2 = x @ x
    let x4 = x2 @ x2
    let x6 = x4 @ x2
    let one = eye(n)
    let u = x @ (x6 @ (x6 + 16380 * x4 + 40840800 * x2) + 33522128640 * x6 + 10559470521600 * x4 + 1187353796428800 * x2 + 32382376266240000 * one)
    let v = x6 @ (182 * x6 + 960960 * x4 + 1323241920 * x2) + 670442572800 * x6 + 129060195264000 * x4 + 7771770303897600 * x2 + 64764752532480000 * one
    var r = solve(v - u, v + u)
    for k in 0:halvings { r = r @ r }
    return r
}
