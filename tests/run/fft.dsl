# Transforms of all kinds of lengths: by definition, and back
fn by_definition(x: c128[n], k: int) -> c128 = sum(x[j] * exp(-2im * pi * f64(j * k % n) / n) for j in 0:n)

fn error(n: int) -> f64 {
    let x = [c128(uniform(1, i), uniform(2, i)) for i in 0:n]
    let y = fft(x)
    let back = ifft(y)
    let r = rfft(x.re)
    let both = fft(x.re)
    let there = max(abs(by_definition(x, k) - y[k]) for k in 0:min(n, 12))
    return there + max(abs(back[i] - x[i]) for i in 0:n) + max(abs(r[i] - both[i]) for i in 0:n // 2 + 1) + max(abs(irfft(r, n) - x.re))
}

for n in [1, 2, 3, 4, 6, 7, 9, 16, 17, 30, 37, 64, 74, 243, 256, 257, 360, 499, 1000, 1009, 1024, 2310, 4098] {
    if not (error(n) < 1e-11) { print("wrong:", n, error(n)) }
}

# long ones, split in two or by a convolution: of one number that is not 0, alone and in columns
fn of_one(n: int) -> f64 {
    let y = [exp(-2im * pi * f64(7 * k % n) / n) for k in 0:n]
    let x = [c128(if j == 7 { 1.0 } else { 0.0 }, 0.0) for j in 0:n]
    let r = rfft(x.re)
    return max(abs(fft(x) - y)) + max(abs(flatten(fft([x[j] for j in 0:n, c in 0:3], axis=0) - [y[j] for j in 0:n, c in 0:3]))) +
        max(abs(r - y[0:n // 2 + 1])) + max(abs(irfft(r, n) - x.re)) + max(abs(ifft(y) - x))
}
for n in [32768, 33000, 32771] {
    if not (of_one(n) < 1e-12) { print("wrong:", n, of_one(n)) }
}
assert max(abs(irfft(rfft(ones(f64, 100000)), 100000) - 1)) < 1e-14

# many at once, along each axis
let a = [c128(uniform(3, i * 63 + j), uniform(4, j)) for i in 0:11, j in 0:63]
let rows = fft(a)
let columns = fft(a, axis=0)
print(max(abs(rows[i, k] - fft(a[i])[k]) for i in 0:11, k in 0:63) < 1e-12, max(abs(columns[k, j] - fft(a[:, j])[k]) for k in 0:11, j in 0:63) < 1e-12)
print(max(abs(flatten(ifft2(fft2(a)) - a))) < 1e-13, max(abs(flatten(ifft(columns, axis=-2) - a))) < 1e-13)

let wave = [sin(2 * pi * 50 * i / 1000) + 0.5 * sin(2 * pi * 120 * i / 1000) for i in 0:1000]
let f = rfftfreq(1000, 1 / 1000)
let power = abs(rfft(wave)) / 500
print(f[nonzero(power > 0.4)], power[nonzero(power > 0.4)])
let (at, density) = welch(wave, 1000.0)
print(at[argmax(density)], len(at))
print(abs(sum(periodogram(wave, 1000.0).1) - variance(wave)) < 1e-9)

let x = randn(1, 300)
let y = randn(2, 200)
print(max(abs(fftconvolve(x, y) - convolve(x, y))) < 1e-12, argmax(correlate(concat(zeros(f64, 7), x), x)) - 299)
print(fft([c64(1), 1im]), fft([1, 2, 3]))
