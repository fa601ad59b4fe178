# Blur, edges and a threshold of an image; deconvolution of a blurred signal by Wiener's filter
fn filtered(a: f64[h, w], kernel: f64[m, m]) -> f64[h, w] {
    let p = pad(a, m // 2)
    return [sum(p[i + u, j + v] * kernel[u, v] for u in 0:m, v in 0:m) for i in 0:h, j in 0:w]
}
let n = 48
let image0 = [if (i - 24)^2 + (j - 20)^2 < 120 { 1.0 } else if abs(i - 36) < 6 and abs(j - 36) < 8 { 0.6 } else { 0.1 } for i in 0:n, j in 0:n]
let g = exp(-arange(-3, 4)^2 / (2 * 1.2^2))
let smooth = filtered(image0 + 0.05 * randn(1, n, n), outer(g, g) / sum(g)^2)
let sobel = [[-1.0, 0, 1], [-2, 0, 2], [-1, 0, 1]]
let edge = hypot(filtered(smooth, sobel), filtered(smooth, sobel.T))
let inside = edge[4:-4, 4:-4]
save("edges.png", clip(edge / max(edge), 0, 1))
let again: u8[h, w] = load("edges.png")
print(sum(inside > quantile(inside, 0.9)), h, w, max(again), edge[24, 20] < 0.2 * max(inside), argmax(inside[20] > 0.8 * max(inside[20])))

let m = 256
let t = arange(m)
let signal = where((t > 50) & (t < 75), 1.0, 0.0) + where((t > 150) & (t < 156), 2.0, 0.0)
let kernel = exp(-0.5 * ((t - m // 2) / 4)^2)
let blur = fft(ifftshift(kernel / sum(kernel)))
let seen = real(ifft(fft(signal) * blur)) + 0.01 * randn(5, m)
let power = abs(fft(signal))^2
let restored = real(ifft(fft(seen) * conj(blur) / (abs(blur)^2 + 1e-4 * m / (power + 1e-12))))
print(norm(restored - signal) < 0.7 * norm(seen - signal), argmax(restored) > 150 and argmax(restored) < 156)
