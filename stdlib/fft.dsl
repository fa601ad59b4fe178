# Fourier transforms and what is made of them.  The C functions are in runtime/fft.c: of any length, along the middle of three axes.

extern fn dsl_m_fft(re: f64[m, n, k], im: f64[m, n, k], inverse: bool) -> f64[2, m, n, k]
extern fn dsl_m_rfft(x: f64[m, n]) -> f64[2, 1, m, n // 2 + 1]
extern fn dsl_m_irfft(re: f64[m, k], im: f64[m, k], n: int) -> f64[m, n]

# Transforms are linear, and the matrix of one is symmetric: each way of derivatives is a transform again.
jvp fn dsl_m_fft(re: f64[m, n, k], im: f64[m, n, k], inverse: bool, d: (f64[m, n, k], f64[m, n, k])) -> f64[2, m, n, k] = dsl_m_fft(d.0, d.1, inverse)
vjp fn dsl_m_fft(re: f64[m, n, k], im: f64[m, n, k], inverse: bool, s: f64[2, m, n, k]) -> (f64[m, n, k], f64[m, n, k]) {
    let y = dsl_m_fft(s[0], s[1], not inverse)
    let scale = if inverse { 1.0 / n } else { f64(n) }
    return (scale * y[0], scale * y[1])
}
# Of n real numbers, how often coefficient k stands in the whole transform
fn _copies(k: int, n: int) -> f64 = if k == 0 or 2 * k == n { 1.0 } else { 2.0 }
jvp fn dsl_m_rfft(x: f64[m, n], d: f64[m, n]) -> f64[2, 1, m, n // 2 + 1] = dsl_m_rfft(d)
vjp fn dsl_m_rfft(x: f64[m, n], s: f64[2, 1, m, n // 2 + 1]) -> f64[m, n] {
    let z = [s[p, 0, i, k] * n / _copies(k, n) for p in 0:2, i in 0:m, k in 0:n // 2 + 1]
    return dsl_m_irfft(z[0], z[1], n)
}
jvp fn dsl_m_irfft(re: f64[m, k], im: f64[m, k], n: int, d: (f64[m, k], f64[m, k])) -> f64[m, n] = dsl_m_irfft(d.0, d.1, n)
vjp fn dsl_m_irfft(re: f64[m, k], im: f64[m, k], n: int, s: f64[m, n]) -> (f64[m, k], f64[m, k]) {
    let y = dsl_m_rfft(s)
    return ([y[0, 0, i, j] * _copies(j, n) / n for i in 0:m, j in 0:k], [y[1, 0, i, j] * _copies(j, n) / n for i in 0:m, j in 0:k])
}

fn _fft(x: c128[m, n, k], inverse: bool) -> c128[m, n, k] {
    assert n > 0, "a Fourier transform of no elements"
    let y = dsl_m_fft(x.re, x.im, inverse)
    return c128(y[0], y[1])
}
fn _fft(x: c128[n, m], axis: int, inverse: bool) -> c128[n, m] {
    if _axis(axis, 2) == 0 { return reshape(_fft(reshape(x, 1, n, m), inverse), n, m) }
    return reshape(_fft(reshape(x, n, m, 1), inverse), n, m)
}
fn _fft(x: c128[n, m, k], axis: int, inverse: bool) -> c128[n, m, k] {
    let along = _axis(axis, 3)
    if along == 0 { return reshape(_fft(reshape(x, 1, n, m * k), inverse), n, m, k) }
    if along == 1 { return _fft(x, inverse) }
    return reshape(_fft(reshape(x, n * m, k, 1), inverse), n, m, k)
}

## The discrete Fourier transform: sum over j of x[j] exp(-2 pi i j k / n), for each k; of several axes along one, usually the last
fn fft(x: c128[n]) -> c128[n] = reshape(_fft(reshape(x, 1, n, 1), false), n)
fn fft(x: c128[n, m], axis: int = -1) -> c128[n, m] = _fft(x, axis, false)
fn fft(x: c128[n, m, k], axis: int = -1) -> c128[n, m, k] = _fft(x, axis, false)
## Its inverse: sum over k of z[k] exp(2 pi i j k / n), over n
fn ifft(z: c128[n]) -> c128[n] = reshape(_fft(reshape(z, 1, n, 1), true), n)
fn ifft(z: c128[n, m], axis: int = -1) -> c128[n, m] = _fft(z, axis, true)
fn ifft(z: c128[n, m, k], axis: int = -1) -> c128[n, m, k] = _fft(z, axis, true)

## Along both axes
fn fft2(x: c128[n, m]) -> c128[n, m] = _fft(_fft(x, 1, false), 0, false)
fn ifft2(z: c128[n, m]) -> c128[n, m] = _fft(_fft(z, 1, true), 0, true)
## Along all three axes
fn fft3(x: c128[n, m, k]) -> c128[n, m, k] = _fft(_fft(_fft(x, 2, false), 1, false), 0, false)
fn ifft3(z: c128[n, m, k]) -> c128[n, m, k] = _fft(_fft(_fft(z, 2, true), 1, true), 0, true)

## The first half of fft(x) of real numbers, from 0 to n // 2; the other half is its mirror image
fn rfft(x: f64[n]) -> c128[n // 2 + 1] {
    assert n > 0, "a Fourier transform of no elements"
    let y = dsl_m_rfft(reshape(x, 1, n))
    return c128(y[0, 0, 0], y[1, 0, 0])
}
## Of each row
fn rfft(x: f64[m, n]) -> c128[m, n // 2 + 1] {
    assert n > 0, "a Fourier transform of no elements"
    let y = dsl_m_rfft(x)
    return c128(y[0, 0], y[1, 0])
}
## The n real numbers of which z is the rfft
fn irfft(z: c128[m], n: int) -> f64[n] {
    assert n > 0 and m == n // 2 + 1, f"irfft(z, n): {n} numbers have an rfft of {n // 2 + 1}, and z has {m}"
    return reshape(dsl_m_irfft(reshape(z.re, 1, m), reshape(z.im, 1, m), n), n)
}
fn irfft(z: c128[m]) -> f64[2 * m - 2] = irfft(z, 2 * m - 2)

## The frequencies of fft(x) of n numbers that are d apart
fn fftfreq(n: int, d: f64 = 1.0) -> f64[n] = [f64(if k < (n + 1) // 2 { k } else { k - n }) / (n * d) for k in 0:n]
## Those of rfft(x)
fn rfftfreq(n: int, d: f64 = 1.0) -> f64[n // 2 + 1] = [k / (n * d) for k in 0:n // 2 + 1]
## Frequency 0 in the middle, as in a picture
fn fftshift(x: T[n]) -> T[n] = [x[(i + (n + 1) // 2) % n] for i in 0:n]
fn fftshift(x: T[n, m]) -> T[n, m] = [x[(i + (n + 1) // 2) % n, (j + (m + 1) // 2) % m] for i in 0:n, j in 0:m]
fn ifftshift(x: T[n]) -> T[n] = [x[(i + n // 2) % n] for i in 0:n]
fn ifftshift(x: T[n, m]) -> T[n, m] = [x[(i + n // 2) % n, (j + m // 2) % m] for i in 0:n, j in 0:m]

# The least length from n on with the factors 2, 3 and 5 alone
fn _smooth(n: int) -> int {
    var m = n
    var left = 0
    while left != 1 {
        left = m
        while left % 2 == 0 { left //= 2 }
        while left % 3 == 0 { left //= 3 }
        while left % 5 == 0 { left //= 5 }
        if left != 1 { m += 1 }
    }
    return m
}
fn _padded(x: T[n], m: int) -> T[m] {
    var y = zeros(T, m)
    y[0:n] = x
    return y
}

## convolve(x, y) by transforms: faster where both are long, with rounding errors of the greatest elements' size
fn fftconvolve(x: f64[n], y: f64[m]) -> f64[n + m - 1] {
    assert n > 0 and m > 0, "fftconvolve of an empty array"
    let size = 2 * _smooth((n + m) // 2)
    return irfft(rfft(_padded(x, size)) * rfft(_padded(y, size)), size)[0:n + m - 1]
}
fn fftconvolve(x: c128[n], y: c128[m]) -> c128[n + m - 1] {
    assert n > 0 and m > 0, "fftconvolve of an empty array"
    let size = _smooth(n + m - 1)
    return ifft(fft(_padded(x, size)) * fft(_padded(y, size)))[0:n + m - 1]
}
## Sums of products of x and of y moved by k, from k = 1 - m to n - 1: the lag of place i is i - (m - 1)
fn correlate(x: f64[n], y: f64[m]) -> f64[n + m - 1] {
    let z = reverse(y)
    return if n * m <= 16384 { convolve(x, z) } else { fftconvolve(x, z) }
}

## Windows: they fall to the ends, so that a transform sees no step there
fn hann(n: int) -> f64[n] = [0.5 - 0.5 * cos(2 * pi * i / max(n - 1, 1)) for i in 0:n]
fn hamming(n: int) -> f64[n] = [0.54 - 0.46 * cos(2 * pi * i / max(n - 1, 1)) for i in 0:n]
fn blackman(n: int) -> f64[n] = [0.42 - 0.5 * cos(2 * pi * i / max(n - 1, 1)) + 0.08 * cos(4 * pi * i / max(n - 1, 1)) for i in 0:n]

# |z|^2 of the transform of each row, twice where it stands for its mirror image too
fn _density(x: f64[m, n], window: f64[n], rate: f64) -> f64[m, n // 2 + 1] {
    let z = rfft([x[r, i] * window[i] for r in 0:m, i in 0:n])
    let scale = 1 / (rate * sum(window[i] * window[i] for i in 0:n))
    return [_copies(k, n) * scale * (z[r, k].re^2 + z[r, k].im^2) for r in 0:m, k in 0:n // 2 + 1]
}
## The spectral density of x, whose mean is taken away: frequencies, and the power at each; `rate` samples to a unit of time
fn periodogram(x: f64[n], rate: f64 = 1.0) -> (f64[n // 2 + 1], f64[n // 2 + 1]) {
    assert n > 0, "the spectrum of no elements"
    let m = mean(x)
    return (rfftfreq(n, 1 / rate), reshape(_density([x[i] - m for r in 0:1, i in 0:n], ones(f64, n), rate), n // 2 + 1))
}
## The same with less noise: the mean over pieces of `length` that overlap by half, each under a window (Welch 1967)
fn welch(x: f64[n], rate: f64 = 1.0, length: int = 256) -> (f64[k], f64[k]) {
    let size = min(length, n)
    assert size > 1, "a spectrum needs two elements"
    let step = size - size // 2
    let pieces = (n - size) // step + 1
    let rows = [x[r * step + i] for r in 0:pieces, i in 0:size]
    let means = [mean(rows[r]) for r in 0:pieces]
    let window = [0.5 - 0.5 * cos(2 * pi * i / size) for i in 0:size]
    let p = _density([rows[r, i] - means[r] for r in 0:pieces, i in 0:size], window, rate)
    return (rfftfreq(size, 1 / rate), [sum(p[r, i] for r in 0:pieces) / pieces for i in 0:size // 2 + 1])
}
