# %% [markdown]
# # The spectrum of a signal
#
# The discrete Fourier transform of $x_0, \dots, x_{n-1}$ is
#
# $$X_k = \sum_{j=0}^{n-1} x_j\, e^{-2 \pi i\, j k / n}.$$
#
# The sum costs $n^2$ operations. When $n$ is a power of two, the algorithm of Cooley and Tukey (1965) takes
# $n \log_2 n$: the transforms of the even and of the odd elements are put together by one *butterfly* for
# each pair of results.
#
# %% The definition
const samples = 1024
const rate = 512.0 # samples per second

## Real and imaginary part of the transform, by the sum
fn dft(x: f64[m]) -> (f64[m], f64[m]) {
    let angle = [-2 * pi * (j * k % m) / m for k in 0:m, j in 0:m]
    return (cos(angle) @ x, sin(angle) @ x)
}

# %% [markdown]
# ## The fast transform
# Stockham's form needs no shuffling of the elements: each stage reads one array and writes another. In the
# stage with stride $s$ there are $s$ transforms of length $n/s$, interleaved; thread $t = p s + q$ makes
# elements $p$ and $p + n/(2s)$ of number $q$. The stages go from $s = n/2$ to $s = 1$. `sign` is $-1$ for the
# transform, $+1$ for its inverse (but for the factor $1/n$).
# %% The stages
kernel butterflies(re: out f64[n], im: out f64[n], x_re: f64[n], x_im: f64[n],
                   s: int, sign: f64) {
    let t = block.x * blockdim.x + thread.x
    if t >= n // 2 { return }
    let p = t // s
    let even = t + p * s
    let odd = even + s
    let angle = sign * 2 * pi * (p * s) / n
    let (c, w) = (cos(angle), sin(angle))
    let odd_re = c * x_re[odd] - w * x_im[odd]
    let odd_im = c * x_im[odd] + w * x_re[odd]
    re[t] = x_re[even] + odd_re
    im[t] = x_im[even] + odd_im
    re[t + n // 2] = x_re[even] - odd_re
    im[t + n // 2] = x_im[even] - odd_im
}

## Of n complex numbers, n a power of two
fn fft(x_re: f64[n], x_im: f64[n], sign: f64 = -1.0) -> (f64[n], f64[n]) {
    assert n > 0 and n & (n - 1) == 0, "the length is a power of two"
    var re = x_re
    var im = x_im
    var s = n // 2
    while s > 0 {
        var next_re = zeros(f64, n)
        var next_im = zeros(f64, n)
        launch butterflies[ceildiv(n // 2, 128), 128](next_re, next_im, re, im, s, sign)
        re = next_re
        im = next_im
        s //= 2
    }
    return (re, im)
}

# %% [markdown]
# It agrees with the definition, its inverse gives the signal back, and it keeps the energy (Parseval):
# $\sum_j |x_j|^2 = \frac1n \sum_k |X_k|^2$.
# %% Three checks
let noise = randn(1, 256)
let (re, im) = fft(noise, zeros(f64, 256))
let (slow_re, slow_im) = dft(noise)
let (back, nothing) = fft(re, im, sign=1.0)
let energy = sum(noise^2)
print("difference from the sum is rounding:", max(abs(re - slow_re)) < 1e-10,
      max(abs(im - slow_im)) < 1e-10)
print("the inverse gives the signal back:", max(abs(back / 256 - noise)) < 1e-12,
      max(abs(nothing)) < 1e-10)
print("energy:", energy, "in the spectrum:", sum(re^2 + im^2) / 256)
assert max(abs(re - slow_re)) < 1e-10 and max(abs(im - slow_im)) < 1e-10
assert max(abs(back / 256 - noise)) < 1e-12
assert abs(sum(re^2 + im^2) / 256 - energy) < 1e-10 * energy

# %% [markdown]
# ## Two tones in noise
# 50 Hz, and a fifth of it at 120 Hz, under noise as strong as the first.
# %% The signal
let t = [j / rate for j in 0:samples]
let x = sin(2 * pi * 50 * t) + 0.2 * sin(2 * pi * 120 * t) + 0.7 * randn(2, samples)
plot("signal.png", t[0:samples // 4], x[0:samples // 4], xlabel="time (s)",
     title="Two tones in noise")

# %% [markdown]
# A signal that is cut out of a longer one has edges, whose spectrum leaks into all frequencies. Hann's window
# $w_j = \sin^2(\pi j / n)$ fades them out.
# %% Its spectrum
let window = [sin(pi * j / samples)^2 for j in 0:samples]
let (s_re, s_im) = fft(window * x, zeros(f64, samples))
let power = (s_re^2 + s_im^2)[0:samples // 2] / sum(window^2)
let frequency = [k * rate / samples for k in 0:samples // 2]
plot("spectrum.png", frequency, power, log="y", xlabel="frequency (Hz)",
     ylabel="power", title="Power spectrum")

# %% [markdown]
# The two highest peaks stand where the tones are, up to the resolution $512/1024 = 0.5$ Hz.
# %% Peaks
let first = argmax(power)
let apart = [if abs(k - first) > 4 { power[k] } else { 0.0 } for k in 0:samples // 2]
let second = argmax(apart)
print("peaks at", frequency[first], "and", frequency[second], "Hz")
assert abs(frequency[first] - 50) <= rate / samples
assert abs(frequency[second] - 120) <= rate / samples
