# Complex numbers.  What operators and elementary functions of c64 and c128 mean are the functions that begin with _c_ (frontend/check_complex.c);
# T is one of the two.

struct c64 { re: f32, im: f32 = 0.0 }
struct c128 { re: f64, im: f64 = 0.0 }

## The real part; of an array, those of its elements
fn real(z: c128) -> f64 = z.re
fn real(z: c64) -> f32 = z.re
## The imaginary part
fn imag(z: c128) -> f64 = z.im
fn imag(z: c64) -> f32 = z.im
## The same real part, and the imaginary one with the other sign
fn conj(z: c128) -> c128 = c128(z.re, -z.im)
fn conj(z: c64) -> c64 = c64(z.re, -z.im)
## The angle, from -pi to pi
fn arg(z: c128) -> f64 = atan2(z.im, z.re)
fn arg(z: c64) -> f32 = atan2(z.im, z.re)
## The number with this absolute value and angle
fn polar(r: f64, angle: f64) -> c128 = c128(r * cos(angle), r * sin(angle))

fn _c_to_c128(x: f64) -> c128 = c128(x, 0.0)
fn _c_to_c128(z: c64) -> c128 = c128(f64(z.re), f64(z.im))
fn _c_to_c64(x: f32) -> c64 = c64(x, 0.0)
fn _c_to_c64(z: c128) -> c64 = c64(f32(z.re), f32(z.im))


fn _c_add(a: c128, b: c128) -> c128 = c128(a.re + b.re, a.im + b.im)
fn _c_add(a: c64, b: c64) -> c64 = c64(a.re + b.re, a.im + b.im)
fn _c_add(a: c128, b: f64) -> c128 = c128(a.re + b, a.im)
fn _c_add(a: c64, b: f32) -> c64 = c64(a.re + b, a.im)
fn _c_add(a: f64, b: c128) -> c128 = c128(a + b.re, b.im)
fn _c_add(a: f32, b: c64) -> c64 = c64(a + b.re, b.im)

fn _c_sub(a: c128, b: c128) -> c128 = c128(a.re - b.re, a.im - b.im)
fn _c_sub(a: c64, b: c64) -> c64 = c64(a.re - b.re, a.im - b.im)
fn _c_sub(a: c128, b: f64) -> c128 = c128(a.re - b, a.im)
fn _c_sub(a: c64, b: f32) -> c64 = c64(a.re - b, a.im)
fn _c_sub(a: f64, b: c128) -> c128 = c128(a - b.re, -b.im)
fn _c_sub(a: f32, b: c64) -> c64 = c64(a - b.re, -b.im)

fn _c_mul(a: c128, b: c128) -> c128 = c128(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
fn _c_mul(a: c64, b: c64) -> c64 = c64(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
fn _c_mul(a: c128, b: f64) -> c128 = c128(a.re * b, a.im * b)
fn _c_mul(a: c64, b: f32) -> c64 = c64(a.re * b, a.im * b)
fn _c_mul(a: f64, b: c128) -> c128 = c128(a * b.re, a * b.im)
fn _c_mul(a: f32, b: c64) -> c64 = c64(a * b.re, a * b.im)

# Without overflow of the squares (Smith, "Algorithm 116: complex division", CACM 1962)
fn _c_div(a: T, b: T) -> T {
    if abs(b.re) >= abs(b.im) {
        let r = b.im / b.re
        let d = b.re + b.im * r
        return if b.re == 0 and b.im == 0 { T(a.re / b.re, a.im / b.re) } else { T((a.re + a.im * r) / d, (a.im - a.re * r) / d) }
    }
    let r = b.re / b.im
    let d = b.re * r + b.im
    return T((a.re * r + a.im) / d, (a.im * r - a.re) / d)
}
fn _c_div(a: c128, b: f64) -> c128 = c128(a.re / b, a.im / b)
fn _c_div(a: c64, b: f32) -> c64 = c64(a.re / b, a.im / b)
fn _c_div(a: f64, b: c128) -> c128 = _c_div(c128(a, 0.0), b)
fn _c_div(a: f32, b: c64) -> c64 = _c_div(c64(a, 0.0), b)

fn _c_neg(z: T) -> T = T(-z.re, -z.im)
fn _c_eq(a: T, b: T) -> bool = a.re == b.re and a.im == b.im
fn _c_ne(a: T, b: T) -> bool = a.re != b.re or a.im != b.im
fn _c_where(c: bool, a: T, b: T) -> T = if c { a } else { b }
fn _c_isnan(z: T) -> bool = isnan(z.re) or isnan(z.im)
fn _c_isinf(z: T) -> bool = isinf(z.re) or isinf(z.im)
fn _c_isfinite(z: T) -> bool = isfinite(z.re) and isfinite(z.im)
# Along an axis of one, two and three
fn _c_prod(z: T[n]) -> T = reduce(_c_mul, T(1, 0), z)
fn _c_prod_down(z: T[n, m]) -> T[m] = [_c_prod(z[:, j]) for j in 0:m]
fn _c_prod_along(z: T[n, m]) -> T[n] = [_c_prod(z[i]) for i in 0:n]
fn _c_prod_first(z: T[n, m, k]) -> T[m, k] = [_c_prod(z[:, j, l]) for j in 0:m, l in 0:k]
fn _c_prod_second(z: T[n, m, k]) -> T[n, k] = [_c_prod(z[i, :, l]) for i in 0:n, l in 0:k]
fn _c_prod_third(z: T[n, m, k]) -> T[n, m] = [_c_prod(z[i, j]) for i in 0:n, j in 0:m]
fn _c_cumsum(z: T[n]) -> T[n] = scan(_c_add, z)

fn _c_abs(z: c128) -> f64 = hypot(z.re, z.im)
fn _c_abs(z: c64) -> f32 = hypot(z.re, z.im)

fn _c_exp(z: T) -> T {
    let r = exp(z.re)
    return if z.im == 0 { T(r, z.im) } else { T(r * cos(z.im), r * sin(z.im)) }
}
fn _c_log(z: T) -> T = T(log(hypot(z.re, z.im)), atan2(z.im, z.re))
fn _c_log10(z: c128) -> c128 = _c_log(z) * (1 / 2.302585092994046)
fn _c_log10(z: c64) -> c64 = c64(_c_log10(c128(z)))

# The root in the right half plane; of the negative axis that in the half plane of im's sign
fn _c_sqrt(z: T) -> T {
    if z.re == 0 and z.im == 0 { return T(0.0, z.im) }
    let s = sqrt((abs(z.re) + hypot(z.re, z.im)) / 2)
    let t = abs(z.im) / (2 * s)
    if z.re >= 0 { return T(s, z.im / (2 * s)) }
    return T(t, if z.im < 0 or (z.im == 0 and 1 / z.im < 0) { -s } else { s })
}

fn _c_sin(z: T) -> T = T(sin(z.re) * cosh(z.im), cos(z.re) * sinh(z.im))
fn _c_cos(z: T) -> T = T(cos(z.re) * cosh(z.im), -(sin(z.re) * sinh(z.im)))
fn _c_tan(z: T) -> T = _c_div(_c_sin(z), _c_cos(z))
fn _c_sinh(z: T) -> T = T(sinh(z.re) * cos(z.im), cosh(z.re) * sin(z.im))
fn _c_cosh(z: T) -> T = T(cosh(z.re) * cos(z.im), sinh(z.re) * sin(z.im))
fn _c_tanh(z: T) -> T = _c_div(_c_sinh(z), _c_cosh(z))

fn _c_powi(z: T, k: int) -> T {
    var r = T(1.0, 0.0)
    var square = z
    var left = abs(k)
    while left > 0 {
        if left % 2 == 1 { r = _c_mul(r, square) }
        square = _c_mul(square, square)
        left //= 2
    }
    return if k < 0 { _c_div(T(1.0, 0.0), r) } else { r }
}
fn _c_pow(z: T, w: T) -> T {
    if w.re == 0 and w.im == 0 { return T(1.0, 0.0) }
    if z.re == 0 and z.im == 0 { return T(0.0, 0.0) }
    return _c_exp(_c_mul(w, _c_log(z)))
}

fn _c_matmul(a: T[n, k], b: T[k, m]) -> T[n, m] = T(a.re @ b.re - a.im @ b.im, a.re @ b.im + a.im @ b.re)
fn _c_matmul(a: T[n, k], b: T[k]) -> T[n] = T(a.re @ b.re - a.im @ b.im, a.re @ b.im + a.im @ b.re)
fn _c_matmul(a: T[k], b: T[k, m]) -> T[m] = T(a.re @ b.re - a.im @ b.im, a.re @ b.im + a.im @ b.re)
fn _c_matmul(a: T[k], b: T[k]) -> T = T(a.re @ b.re - a.im @ b.im, a.re @ b.im + a.im @ b.re)
fn _c_matmul(a: T[s, n, k], b: T[s, k, m]) -> T[s, n, m] = T(a.re @ b.re - a.im @ b.im, a.re @ b.im + a.im @ b.re)
fn _c_matmul(a: T[s, n, k], b: T[k, m]) -> T[s, n, m] = T(a.re @ b.re - a.im @ b.im, a.re @ b.im + a.im @ b.re)
fn _c_matmul(a: T[s, n, k], b: T[k]) -> T[s, n] = T(a.re @ b.re - a.im @ b.im, a.re @ b.im + a.im @ b.re)
fn _c_matmul(a: T[n, k], b: T[s, k, m]) -> T[s, n, m] = T(a.re @ b.re - a.im @ b.im, a.re @ b.im + a.im @ b.re)

# As real matrices of twice the size: [[re, -im], [im, re]]
fn _c_solve(a: T[n, n], b: T[n]) -> T[n] {
    let x = solve(vstack(hstack(a.re, -a.im), hstack(a.im, a.re)), concat(b.re, b.im))
    return T(x[0:n], x[n:])
}
fn _c_solve(a: T[n, n], b: T[n, m]) -> T[n, m] {
    let x = solve(vstack(hstack(a.re, -a.im), hstack(a.im, a.re)), vstack(b.re, b.im))
    return T(x[0:n, :], x[n:, :])
}
fn _c_inv(a: T[n, n]) -> T[n, n] {
    let x = inv(vstack(hstack(a.re, -a.im), hstack(a.im, a.re)))
    return T(x[0:n, 0:n], x[n:, 0:n])
}

# What elimination leaves on the diagonal, with the greatest element of each column in front; a 0 ends it
fn _c_pivots(a: T[n, n]) -> T[n] {
    var m = a
    var d = zeros(T, n)
    for k in 0:n {
        var best = k
        for i in k + 1:n {
            if _c_abs(m[i, k]) > _c_abs(m[best, k]) { best = i }
        }
        if _c_abs(m[best, k]) == 0 { return zeros(T, n) }
        if best != k {
            let row = m[k]
            m[k] = [_c_neg(z) for z in m[best]]
            m[best] = row
        }
        d[k] = m[k, k]
        for i in k + 1:n {
            let f = _c_div(m[i, k], m[k, k])
            for j in k + 1:n { m[i, j] = _c_sub(m[i, j], _c_mul(f, m[k, j])) }
        }
    }
    return d
}
fn _c_det(a: T[n, n]) -> T = _c_prod(_c_pivots(a))
fn _c_direction(z: T) -> T = if z.re == 0 and z.im == 0 { T(0, 0) } else { _c_div(z, _c_abs(z)) }
fn _c_slogdet(a: c128[n, n]) -> (c128, f64) {
    let d = _c_pivots(a)
    return (_c_prod([_c_direction(z) for z in d]), sum([log(_c_abs(z)) for z in d]))
}
fn _c_slogdet(a: c64[n, n]) -> (c64, f32) {
    let d = _c_pivots(a)
    return (_c_prod([_c_direction(z) for z in d]), sum([log(_c_abs(z)) for z in d]))
}
# Of a Hermitian matrix, by the real one, which has each eigenvalue twice: its vectors in order, but for those that others give
fn _c_eigh(a: c128[n, n]) -> (f64[n], c128[n, n]) {
    let (w, v) = eigh(vstack(hstack(a.re, -a.im), hstack(a.im, a.re)))
    var values = zeros(f64, n)
    var re = zeros(f64, n, n)
    var im = zeros(f64, n, n)
    var done = 0
    for k in 0:2 * n {
        var x = v[0:n, k]
        var y = v[n:, k]
        for turn in 0:2 {
            for j in 0:done {
                let p = re[:, j]
                let q = im[:, j]
                let (c, d) = (p @ x + q @ y, p @ y - q @ x)
                x -= c * p - d * q
                y -= c * q + d * p
            }
        }
        let rest = x @ x + y @ y
        if done < n and rest * 4 * n > 1 {
            let at = min(done, n - 1)
            re[:, at] = x / sqrt(rest)
            im[:, at] = y / sqrt(rest)
            values[at] = w[k]
            done += 1
        }
    }
    return (values, c128(re, im))
}
fn _c_eigh(a: c64[n, n]) -> (f32[n], c64[n, n]) {
    let (w, v) = _c_eigh(c128([f64(a[i, j].re) for i in 0:n, j in 0:n], [f64(a[i, j].im) for i in 0:n, j in 0:n]))
    return ([f32(x) for x in w], c64([f32(v[i, j].re) for i in 0:n, j in 0:n], [f32(v[i, j].im) for i in 0:n, j in 0:n]))
}

extern fn dsl_x_complex_text(re: T[..], im: T[..]) -> str
extern fn dsl_x_complex_save(path: str, re: T[..], im: T[..])

fn _c_part(part: str) -> str = f"{part}: re, im"
fn _c_text(z: T[..]) -> str = dsl_x_complex_text(z.re, z.im)

fn _c_of_pairs(x: f64[n, 2]) -> c128[n] = c128(x[:, 0], x[:, 1])
fn _c_of_pairs(x: f64[n, m, 2]) -> c128[n, m] = c128(x[:, :, 0], x[:, :, 1])
fn _c_of_pairs(x: f64[n, m, k, 2]) -> c128[n, m, k] = c128(x[:, :, :, 0], x[:, :, :, 1])
fn _c_of_pairs(x: f32[n, 2]) -> c64[n] = c64(x[:, 0], x[:, 1])
fn _c_of_pairs(x: f32[n, m, 2]) -> c64[n, m] = c64(x[:, :, 0], x[:, :, 1])
