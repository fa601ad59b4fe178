# Decompositions of matrices.  The C functions are in runtime/lapack.c; they give all results as one vector.

extern fn dsl_m_svd(a: f64[m, n]) -> f64[found]
extern fn dsl_m_qr(a: f64[m, n]) -> f64[found]
extern fn dsl_m_eig(a: f64[n, n]) -> f64[found]
extern fn dsl_m_solve_banded(bands: f64[k, n], b: f64[n], lower: int) -> f64[n]

# x[i], and 0 outside of x
fn _inside(x: f64[n], i: int) -> f64 = if i >= 0 and i < n { x[clamp(i, 0, n - 1)] } else { 0.0 }
# x' solves for b' - a' x, and so does the other way with the transpose, whose diagonals stand in the other order
fn _banded_transpose(bands: f64[k, n], lower: int) -> f64[k, n] = [_inside(bands[k - 1 - r], j + r - lower) for r in 0:k, j in 0:n]
jvp fn dsl_m_solve_banded(bands: f64[k, n], b: f64[n], lower: int, x: f64[n], d: (f64[k, n], f64[n])) -> f64[n] {
    let up = k - 1 - lower
    let terms = d.0 * x
    let product = [sum(_inside(terms[r], i + up - r) for r in 0:k) for i in 0:n]
    return dsl_m_solve_banded(bands, d.1 - product, lower)
}
vjp fn dsl_m_solve_banded(bands: f64[k, n], b: f64[n], lower: int, x: f64[n], s: f64[n]) -> (f64[k, n], f64[n]) {
    let up = k - 1 - lower
    let z = dsl_m_solve_banded(_banded_transpose(bands, lower), s, up)
    return ([-_inside(z, j + r - up) * x[j] for r in 0:k, j in 0:n], z)
}

# The factors of a square matrix are found once, and what is asked of them after that (solve, inv, det) finds them there.
fn _lu(a: T[n, n]) -> (int[n], T[n, n], T[n, n]) = _lu_square(a)
# Of the columns at the right the rows are solved for.
fn _lu_wide(a: T[m, n]) -> (int[m], T[m, min(m, n)], T[min(m, n), n]) {
    let (p, l, u) = _lu_square(a[:, 0:m])
    return (p, l, hstack(u, trisolve(l, [a[p[i], j] for i in 0:m, j in m:n], unit=true)))
}
# The rows are chosen among all of a, which zeros at the right make square; those below solve for their part of l.
fn _lu_tall(a: T[m, n]) -> (int[m], T[m, min(m, n)], T[min(m, n), n]) {
    let rows = _lu_square(stop_gradient(hstack(a, zeros(T, m, m - n)))).0
    let (q, l, u) = _lu_square([a[rows[i], j] for i in 0:n, j in 0:n])
    let p = [if i < n { rows[q[min(i, n - 1)]] } else { rows[i] } for i in 0:m]
    let below = [a[p[i], j] for i in n:m, j in 0:n]
    return (p, vstack(l, trisolve(u, below.T, upper=true, transposed=true).T), u)
}
fn _lu_any(a: T[m, n]) -> (int[m], T[m, min(m, n)], T[min(m, n), n]) {
    if m == n { return _lu(a) }
    return if m < n { _lu_wide(a) } else { _lu_tall(a) }
}
## (p, l, u) with a[p[i], j] == (l @ u)[i, j]: rows of a in the order in which partial pivoting takes them; l is a lower triangle with ones on its diagonal, u an upper one
fn lu(a: f64[m, n]) -> (int[m], f64[m, min(m, n)], f64[min(m, n), n]) = _lu_any(a)
fn lu(a: f32[m, n]) -> (int[m], f32[m, min(m, n)], f32[min(m, n), n]) = _lu_any(a)
## log of the determinant, also where that is too large or small for a number; NaN where it is negative
fn logdet(a: f64[n, n]) -> f64 {
    let (sign, size) = slogdet(a)
    return log(sign) + size
}
fn logdet(a: f32[n, n]) -> f32 {
    let (sign, size) = slogdet(a)
    return log(sign) + size
}
fn logdet(a: c128[n, n]) -> c128 {
    let (sign, size) = slogdet(a)
    return log(sign) + size
}
## The x with l @ l.T @ x == b, where l is cholesky(a): a @ x == b
fn cho_solve(l: T[n, n], b: T[n]) -> T[n] = trisolve(l, trisolve(l, b), transposed=true)
fn cho_solve(l: T[n, n], b: T[n, k]) -> T[n, k] = trisolve(l, trisolve(l, b), transposed=true)

## Singular values: (u, s, vt) with u @ diag(s) @ vt == a; s falls, the columns of u and the rows of vt are orthonormal
fn svd(a: f64[m, n]) -> (f64[m, min(m, n)], f64[min(m, n)], f64[min(m, n), n]) {
    let k = min(m, n)
    let all = dsl_m_svd(a)
    return (reshape(all[0:m * k], m, k), all[m * k:m * k + k], reshape(all[m * k + k:m * k + k + k * n], k, n))
}
# 1 over gaps and sums of singular values and the like; 0 in place of infinity: what turns within such a space is not determined
fn _over(x: f64) -> f64 = if x == 0 { 0.0 } else { 1 / x }
# u' = u (sigma / (s_j - s_i) + alpha / (s_j + s_i)) where sigma + alpha, symmetric and antisymmetric, is u.T a' v; for v the last sign is
# the other one (Townsend, "Differentiating the singular value decomposition", 2016, without squares).  What leaves the spaces: behind it.
jvp fn svd(a: f64[m, n], y: (f64[m, min(m, n)], f64[min(m, n)], f64[min(m, n), n]), d: f64[m, n]) -> (f64[m, min(m, n)], f64[min(m, n)], f64[min(m, n), n]) {
    let k = min(m, n)
    let (u, s, vt) = y
    let left = d @ vt.T
    let p = u.T @ left
    let even = [if i == j { 0.0 } else { 0.5 * (p[i, j] + p[j, i]) * _over(s[j] - s[i]) } for i in 0:k, j in 0:k]
    let odd = [if i == j { 0.0 } else { 0.5 * (p[i, j] - p[j, i]) * _over(s[j] + s[i]) } for i in 0:k, j in 0:k]
    let scale = [_over(v) for v in s]
    let du = u @ (even + odd) + (left - u @ p) * scale
    let dv = vt.T @ (even - odd) + (d.T @ u - vt.T @ p.T) * scale
    return (du, diag(p), dv.T)
}
## (q, r) with q @ r == a; the columns of q are orthonormal, r is an upper triangle
fn qr(a: f64[m, n]) -> (f64[m, min(m, n)], f64[min(m, n), n]) {
    let k = min(m, n)
    let all = dsl_m_qr(a)
    return (reshape(all[0:m * k], m, k), reshape(all[m * k:m * k + k * n], k, n))
}
# q' = q (l - l.T) + what leaves the space, where l is the lower triangle of q.T a' r^-1; r' = q.T a' - (l - l.T) r (Walter and others,
# "Algorithmic differentiation of linear algebra functions", 2012)
jvp fn qr(a: f64[m, n], y: (f64[m, min(m, n)], f64[min(m, n), n]), d: f64[m, n]) -> (f64[m, min(m, n)], f64[min(m, n), n]) {
    let k = min(m, n)
    let (q, r) = y
    let over = trisolve(r[:, 0:k].T, d[:, 0:k].T).T
    let p = q.T @ over
    let turn = [if i > j { p[i, j] } else if i < j { -p[j, i] } else { 0.0 } for i in 0:k, j in 0:k]
    return (q @ turn + (over - q @ p), q.T @ d - turn @ r)
}
## Eigenvalues and eigenvectors, the columns, of a square matrix: complex numbers
fn eig(a: f64[n, n]) -> (c128[n], c128[n, n]) {
    let all = dsl_m_eig(a)
    let at = 2 * n
    return (c128(all[0:n], all[n:2 * n]), c128(reshape(all[at:at + n * n], n, n), reshape(all[at + n * n:at + 2 * n * n], n, n)))
}
# With m = v^-1 a' v: its diagonal; v' = v (m_ij / (w_j - w_i)), less what changes the length of a column, and the argument of its largest element, which is
# real (Boeddeker and others, "On the computation of complex-valued gradients", 2017)
jvp fn eig(a: f64[n, n], y: (c128[n], c128[n, n]), d: f64[n, n]) -> (c128[n], c128[n, n]) {
    let (w, v) = y
    let p = solve(v, c128(d) @ v)
    let free = v @ [if i == j or w[i] == w[j] { c128(0.0) } else { p[i, j] / (w[j] - w[i]) } for i in 0:n, j in 0:n]
    let far = [argmax([abs(v[i, j]) for i in 0:n]) for j in 0:n]
    let along = [sum(real(conj(v[i, j]) * free[i, j]) for i in 0:n) for j in 0:n]
    let turned = [imag(free[far[j], j]) / real(v[far[j], j]) for j in 0:n]
    return ([p[i, i] for i in 0:n], [free[i, j] - c128(along[j], turned[j]) * v[i, j] for i in 0:n, j in 0:n])
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
# x' = p b' - p a' x + p p.T a'.T (b - a x) + (1 - p a) a'.T p.T x with p, the pseudoinverse of a (Golub and Pereyra 1973)
jvp fn lstsq(a: f64[m, n], b: f64[m], rtol: f64, x: f64[n], d: (f64[m, n], f64[m], f64)) -> f64[n] {
    let p = pinv(a, rtol)
    let out = d.0.T @ (p.T @ x)
    return p @ (d.1 - d.0 @ x) + p @ (p.T @ (d.0.T @ (b - a @ x))) + out - p @ (a @ out)
}
fn lstsq(a: f64[m, n], b: f64[m, k], rtol: f64 = 1e-15) -> f64[n, k] {
    let (u, s, vt) = svd(a)
    return vt.T @ ((u.T @ b) * _inverses(s, rtol * max(m, n))[:, newaxis])
}
jvp fn lstsq(a: f64[m, n], b: f64[m, k], rtol: f64, x: f64[n, k], d: (f64[m, n], f64[m, k], f64)) -> f64[n, k] {
    let p = pinv(a, rtol)
    let out = d.0.T @ (p.T @ x)
    return p @ (d.1 - d.0 @ x) + p @ (p.T @ (d.0.T @ (b - a @ x))) + out - p @ (a @ out)
}
## The pseudoinverse (Moore and Penrose)
fn pinv(a: f64[m, n], rtol: f64 = 1e-15) -> f64[n, m] {
    let (u, s, vt) = svd(a)
    return vt.T @ (_inverses(s, rtol * max(m, n))[:, newaxis] * u.T)
}
jvp fn pinv(a: f64[m, n], rtol: f64, p: f64[n, m], d: (f64[m, n], f64)) -> f64[n, m] {
    let out = d.0.T @ p.T @ p
    return p @ (p.T @ (d.0.T - (d.0.T @ a) @ p)) - p @ d.0 @ p + out - p @ (a @ out)
}
## How many rows are independent: singular values above rtol times the greatest
fn rank(a: f64[m, n], rtol: f64 = 2.220446049250313e-16) -> int {
    let s = svd(stop_gradient(a)).1
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
