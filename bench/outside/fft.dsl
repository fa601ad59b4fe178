# Radix-2 fast Fourier transform in place, bits reversed first, of real and imaginary parts
const bits = 20
const reps = 3

fn fft(re0: f64[n], im0: f64[n], wr: f64[n // 2], wi: f64[n // 2], reversed: i32[n]) -> (f64[n], f64[n]) {
    var re = [re0[reversed[i]] for i in 0:n]
    var im = [im0[reversed[i]] for i in 0:n]
    var half = 1
    while half < n {
        let groups = n // (2 * half)
        parallel for g in 0:groups, k in 0:half {
            let a = g * 2 * half + k
            let b = a + half
            let c = wr[k * groups]
            let s = wi[k * groups]
            let tr = re[b] * c - im[b] * s
            let ti = re[b] * s + im[b] * c
            re[b] = re[a] - tr
            im[b] = im[a] - ti
            re[a] += tr
            im[a] += ti
        }
        half *= 2
    }
    return (re, im)
}

fn reverse_bits(i: int) -> i32 {
    var r = 0
    for b in 0:bits { r = r << 1 | i >> b & 1 }
    return i32(r)
}

let n = 2^bits
let wr = [cos(-2 * pi * i / n) for i in 0:n // 2]
let wi = [sin(-2 * pi * i / n) for i in 0:n // 2]
let reversed = [reverse_bits(i) for i in 0:n]
let x = [f64(i * 7919 % 10007) / 10007.0 for i in 0:n]
let y = [f64(i * 104729 % 1009) / 1009.0 for i in 0:n]
let (warm, _) = fft(y, x, wr, wi, reversed)
print("warm", sum(warm))
let start = time()
var (re, im) = (x, y)
for r in 0:reps {
    let (a, b) = fft(x, y, wr, wi, reversed)
    re = a
    im = b
}
let seconds = (time() - start) / reps
print("check", sum(re * re + im * im), re[12345], im[54321])
print("time", seconds)
